import FoundationEssentials

/// The end of what has come of a file, as far as it was not read yet: never more than one block or chunk of it.
struct PendingBytes {
    private var bytes = Data()

    mutating func append(_ newBytes: Data) { bytes.append(newBytes) }

    /// Reads something that comes whole or not at all, and forgets its bytes.
    ///
    /// - Returns: Whether it was there: what `body` could not read to its end, it must not have changed anything by.
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
        // A slice would hold on to what is before it.
        if bytes.isEmpty { bytes = Data() } else if rest > Self.keptCount { bytes = bytes.withUnsafeBytes { Data($0) } }
        return true
    }

    func reader(format: ImageFormat) -> ByteReader { ByteReader(bytes, format: format) }

    private static let keptCount = 64 << 10
}
