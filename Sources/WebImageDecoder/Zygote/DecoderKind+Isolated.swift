import WebImageIsolation

extension DecoderKind {
    /// The kinds that the workers of a helper program decode.
    package static func isolated(for role: HelperRole) -> Set<DecoderKind> { role.kinds.filter { $0.coder != nil } }

    /// Whether its decoder cannot do without threads: libde265 and the filters of librsvg wait without an end, or abort, where
    /// they get none.
    package var startsThreads: Bool { self == .heif || self == .svg || self == .video }
}
