/// The result of ``DiskCache/verify(repairing:report:)`` in numbers.
package struct DiskCacheVerification: Sendable, Hashable {
    /// Entries without damage.
    package var entryCount = 0
    /// Bytes of their files.
    package var byteCount = 0
    /// Problems found.
    package var problemCount = 0
    /// Problems solved by a removal.
    package var removedCount = 0
}

/// A problem in the directory of a disk cache.
package struct DiskCacheProblem: Sendable, Hashable {
    /// The kinds of problems.
    package enum Kind: String, Sendable, CaseIterable {
        /// Not what was stored: truncated, changed, or under another entry's name. Counts as no entry.
        case damaged
        /// The start of a file whose writer was killed, ten minutes old or more.
        case leftOver
        /// A file that cannot be read; its contents may be undamaged.
        case unreadable
        /// A file or a link in the place of one of the cache's directories: what belongs there can be neither stored nor read.
        /// Or a directory in the place of a file of the index, which stays if it has files.
        case obstacle
        /// A file that the cache has not written.
        case foreign
    }

    /// The kind of problem.
    package var kind: Kind
    /// The path of the file.
    package var path: String
    /// Whether the file was removed. Files that cannot be read and files of others stay.
    package var isRemoved: Bool
}
