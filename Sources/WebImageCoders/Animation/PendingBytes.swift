import FoundationEssentials
import WebImageCore

/// The unread end of an incomplete file: never more than one block or chunk.
struct PendingBytes {
    private var bytes = Data()

    mutating func append(_ newBytes: Data) { bytes.append(newBytes) }

    /// Reads an element that is consumed completely or not at all, and drops its bytes.
    ///
    /// - Returns: Whether it was complete. `body` must not have changed anything when it was not.
    mutating func read(
        format: ImageFormat, _ body: (inout ByteReader) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bool {
        var reader = reader(format: format)
        do throws(WebImageError) {
            try body(&reader)
        } catch {
            guard error.code == .truncatedImageData else { throw error }
            return false
        }
        let rest = reader.offset
        bytes = bytes.dropFirst(rest)
        // A slice would retain the bytes before it.
        if bytes.isEmpty { bytes = Data() } else if rest > Self.keptCount { bytes = bytes.withUnsafeBytes { Data($0) } }
        return true
    }

    func reader(format: ImageFormat) -> ByteReader { ByteReader(bytes, format: format) }

    private static let keptCount = 64 << 10
}
