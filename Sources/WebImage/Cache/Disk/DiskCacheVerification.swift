/// The result of ``DiskCache/verify(repairing:report:)`` in numbers.
public struct DiskCacheVerification: Sendable, Hashable {
    /// Entries without damage.
    public var entryCount = 0
    /// Bytes of their files.
    public var byteCount = 0
    /// Problems found.
    public var problemCount = 0
    /// Problems solved by a removal.
    public var removedCount = 0
}

/// A problem in the directory of a disk cache.
public struct DiskCacheProblem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Kind: String, Sendable, CaseIterable {
        /// Not what was stored: truncated, changed, or under another entry's name. Counts as no entry.
        case damaged
        /// The start of a file whose writer was killed, ten minutes old or more.
        case leftOver
        /// A file that cannot be read; its contents may be undamaged.
        case unreadable
        /// A file that the cache has not written.
        case foreign
    }

    /// The kind of problem.
    public var kind: Kind
    /// The path of the file.
    public var path: String
    /// Whether the file was removed. Files that cannot be read and files of others stay.
    public var isRemoved: Bool
}
