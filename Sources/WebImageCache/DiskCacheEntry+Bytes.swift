import FoundationEssentials
import WebImageCore

/// An entry as bytes, for tiers of the app's own.
extension DiskCacheEntry {
    /// The entry as one piece of bytes, with all that belongs to it: its key, the rights of its load, its dates, the header fields
    /// of its response, the app's own bytes, and checksums. It is the file that a ``DiskCache`` writes.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` for more than 2 GiB, or more than 1 MiB of ``extendedData``.
    public func bytes(for key: CacheKey) throws(WebImageError) -> Data {
        try DiskEntryFormat.header(for: self, key: key) + data
    }

    /// The entry in what ``bytes(for:)`` has returned; nil for damaged bytes, and for those of another key or of a version of
    /// this library with another format.
    public init?(bytes: Data, for key: CacheKey) {
        let time = FileTime(Date())
        let status = FileStatus(kind: .file, size: bytes.count, inode: 0, accessed: time, modified: time)
        guard let file = FileBytes(status: status, capacity: bytes.count, fill: { bytes.copyBytes(to: $0) }),
            let entry = DiskEntryFormat.entry(in: file, for: key)
        else { return nil }
        self = entry
    }
}
