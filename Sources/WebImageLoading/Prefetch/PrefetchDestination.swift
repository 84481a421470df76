/// The destination of prefetched pictures.
public enum PrefetchDestination: Sendable, Hashable {
    /// Memory, decoded as the request says, and the disk as in any load: the picture then shows at once.
    case memory
    /// The disk only, without decoding: for many pictures of which few are shown soon. A request whose picture would
    /// not be written to the disk, such as one with a `file:` URL, ends without doing anything.
    case disk
}
