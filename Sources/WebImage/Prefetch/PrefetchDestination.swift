/// How far prefetching brings a picture.
public enum PrefetchDestination: Sendable, Hashable {
    /// Into memory, decoded as its request says, and on the disk as any load: it then shows at once.
    case memory
    /// Onto the disk only, without decoding: for many pictures of which few are looked at soon. A request whose picture
    /// would not be written to the disk, like a `file:` URL's, is done without doing anything.
    case disk
}
