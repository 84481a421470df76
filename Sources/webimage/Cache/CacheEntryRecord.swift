import FoundationEssentials
import WebImage
import WebImageCommandLine

/// The report of one cache entry.
struct CacheEntryRecord: Encodable {
    let key: String
    let path: String
    /// The size of the picture's original file.
    let bytes: Int
    /// The size of the cache's file, including metadata.
    let fileBytes: Int
    let created: String
    let stored: String
    let used: String
    let expires: String?
    var headers: [String: String]?
    var extendedBytes: Int?
    var format: String?
    var width: Int?
    var height: Int?

    init(_ entry: DiskCacheEntrySummary) {
        key = entry.key.string
        path = entry.path
        bytes = entry.byteCount
        fileBytes = entry.fileByteCount
        created = entry.createdAt.ISO8601Format()
        stored = entry.storedAt.ISO8601Format()
        used = entry.accessedAt.ISO8601Format()
        expires = entry.expiresAt?.ISO8601Format()
    }

    /// A record with all details.
    ///
    /// - Parameter properties: The properties of the picture; nil when the file is no picture.
    init(_ entry: DiskCacheEntrySummary, properties: ImageProperties?) {
        self.init(entry)
        headers = entry.headers
        extendedBytes = entry.extendedByteCount
        format = properties?.format.description
        width = properties?.pixelSize.width
        height = properties?.pixelSize.height
    }

    /// One line: size, last use, key.
    ///
    /// - Parameter columns: The maximum width; nil for no limit.
    func line(columns: Int?) -> String {
        let head = "\(Quantity.bytes(bytes).paddedLeft(to: 8))  \(used)  "
        let name = key.withoutControls
        return head + (columns.map { name.fitted(to: max(20, $0 - head.columnCount - 1)) } ?? name)
    }

    /// The key, then one line for each known property.
    var text: String {
        let size = width.flatMap { width in height.map { PixelSize(width: width, height: $0).description } }
        let rows: [(String, String?)] = [
            ("format", format), ("pixel size", size), ("bytes", "\(bytes)"), ("file", path.withoutControls),
            ("created", created), ("stored", stored), ("used", used), ("expires", expires),
            ("own data", extendedBytes.map { "\($0) bytes" }),
        ]
        let fields = (headers ?? [:]).sorted { $0.key < $1.key }.map {
            ($0.key.printable, $0.value.printable as String?)
        }
        let width = (rows + fields).map(\.0.columnCount).max() ?? 0
        return (rows + fields).reduce(into: key.withoutControls) { text, row in
            guard let value = row.1 else { return }
            text += "\n  \(row.0.padded(to: width))  \(value)"
        }
    }
}
