/// The purpose of a helper program. Videos have one of their own: it loads a library that is larger than all others
/// together, and most apps show none.
package enum HelperRole: UInt8, Sendable {
    case pictures, videos

    /// The role of the helper whose workers decode a kind.
    init(for kind: DecoderKind) { self = kind == .video ? .videos : .pictures }

    /// The kinds that its workers may be asked to decode.
    package var kinds: Set<DecoderKind> { Set(DecoderKind.allCases.filter { HelperRole(for: $0) == self }) }
}
