import FoundationEssentials
import WebImageCore

/// The description of an entry on disk, without its bytes.
package struct DiskCacheEntrySummary: Sendable {
    /// Its key.
    package var key: CacheKey
    /// The path of its file.
    package var path: String
    /// Bytes of ``DiskCacheEntry/data``.
    package var byteCount: Int
    /// Bytes of the file, with the header.
    package var fileByteCount: Int
    /// When it was stored, or last revalidated by the server.
    package var storedAt: Date
    /// When it was first stored.
    package var createdAt: Date
    /// When it was last read or written, according to the file: access times are written some seconds after the read.
    package var accessedAt: Date
    /// When it expires; nil for never.
    package var expiresAt: Date?
    /// The header fields of its response, names in lower case.
    package var headers: [String: String]
    /// Bytes of ``DiskCacheEntry/extendedData``; nil where there are none.
    package var extendedByteCount: Int?
}

extension DiskCacheEntrySummary {
    /// - Parameter beginning: The first bytes of the file, at least all of its header. The result is nil for a damaged
    ///   header.
    init?(_ beginning: FileBytes, path: String) {
        let status = beginning.status
        let parsed = beginning.withBytes { bytes in
            DiskEntryHeader(bytes, fileSize: status.size).map { (header: $0, key: bytes.text(in: $0.key)) }
        }
        guard let (header, key) = parsed, let fields = HTTPFields(beginning.data(in: header.fields)) else { return nil }
        self.init(
            key: CacheKey(key, fields), path: path, byteCount: header.bodySize, fileByteCount: status.size,
            storedAt: header.storedAt, createdAt: header.createdAt,
            accessedAt: Date(max(status.accessed, status.modified)), expiresAt: header.expiresAt,
            headers: fields.dictionary,
            extendedByteCount: header.extendedData?.count)
    }
}

extension Date {
    init(_ time: FileTime) { self.init(timeIntervalSince1970: Double(time.nanoseconds) / 1e9) }
}
