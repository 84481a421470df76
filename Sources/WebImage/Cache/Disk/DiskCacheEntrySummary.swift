import FoundationEssentials

/// What is known of an entry on disk without reading its bytes.
public struct DiskCacheEntrySummary: Sendable {
    /// Its key.
    public var key: CacheKey
    /// Where its file is.
    public var path: String
    /// Bytes of ``DiskCacheEntry/data``.
    public var byteCount: Int
    /// Bytes of the file, with the key and all that is said of the entry.
    public var fileByteCount: Int
    /// When it was stored, or last found to be as the server has it.
    public var storedAt: Date
    /// When it was first stored.
    public var createdAt: Date
    /// When it was last read or written, as far as the file knows: reads are written down some seconds later.
    public var accessedAt: Date
    /// From when on it counts as none; nil for never.
    public var expiresAt: Date?
    /// The header fields it came with, names in lower case.
    public var headers: [String: String]
    /// Bytes of ``DiskCacheEntry/extendedData``; nil where there are none.
    public var extendedByteCount: Int?
}

extension DiskCacheEntrySummary {
    /// - Parameter beginning: The first bytes of the file, at least all of its header; nil comes of a damaged one.
    init?(_ beginning: FileBytes, path: String) {
        let status = beginning.status
        let parsed = beginning.withBytes { bytes in
            DiskEntryHeader(bytes, fileSize: status.size).map { (header: $0, key: bytes.text(in: $0.key)) }
        }
        guard let (header, key) = parsed, let fields = HTTPFields(beginning.data(in: header.fields)) else { return nil }
        self.init(
            key: CacheKey(key), path: path, byteCount: header.bodySize, fileByteCount: status.size,
            storedAt: header.storedAt, createdAt: header.createdAt,
            accessedAt: Date(max(status.accessed, status.modified)), expiresAt: header.expiresAt,
            headers: fields.dictionary,
            extendedByteCount: header.extendedData?.count)
    }
}

extension Date {
    init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
