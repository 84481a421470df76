import WebImage

extension DecoderKind {
    /// The kinds that the workers of a helper program decode.
    package static func isolated(for role: HelperRole) -> Set<DecoderKind> { role.kinds.filter { $0.coder != nil } }
}
