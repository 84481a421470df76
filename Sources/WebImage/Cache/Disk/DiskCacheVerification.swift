/// What ``DiskCache/verify(repairing:report:)`` found, in numbers.
public struct DiskCacheVerification: Sendable, Hashable {
    /// Entries that are whole.
    public var entryCount = 0
    /// Bytes of their files.
    public var byteCount = 0
    /// What is not as it should be.
    public var problemCount = 0
    /// How much of that was removed.
    public var removedCount = 0
}

/// Something in the directory of a disk cache that is not as it should be.
public struct DiskCacheProblem: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: String, Sendable, CaseIterable {
        /// Not what was stored: cut off, changed, or under another entry's name. Counts as no entry.
        case damaged
        /// The start of a file whose writer was killed, ten minutes old or more.
        case leftOver
        /// A file that cannot be read, though it may be whole.
        case unreadable
        /// Nothing that the cache has made.
        case foreign
    }

    /// What is wrong.
    public var kind: Kind
    /// Where.
    public var path: String
    /// Whether it was removed. What cannot be read or is not the cache's own stays.
    public var isRemoved: Bool
}
