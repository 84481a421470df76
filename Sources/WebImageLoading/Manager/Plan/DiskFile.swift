/// The two files that a picture may be decoded from.
enum DiskFile: Hashable, Sendable {
    /// The finished picture.
    case result
    /// The original of a thumbnail or a transformed picture.
    case original
}
