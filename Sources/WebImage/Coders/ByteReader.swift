import FoundationEssentials

/// Reads numbers and ranges from a file's bytes in order, and throws where the file ends too early.
///
/// A coder that was given only the beginning of a file catches ``WebImageError/Code/truncatedImageData`` and asks for
/// more of it.
package struct ByteReader {
    package let data: Data
    package let format: ImageFormat
    /// Bytes from the beginning of the file.
    package private(set) var offset = 0
    /// Where reading ends: the whole file, or a container's own end.
    package let end: Int

    package init(_ data: Data, format: ImageFormat) {
        self.data = data
        self.format = format
        end = data.count
    }

    /// A reader of a part of the file; the part is cut where the file is.
    package init(_ data: Data, format: ImageFormat, range: Range<Int>) {
        self.data = data
        self.format = format
        end = min(range.upperBound, data.count)
        offset = min(range.lowerBound, end)
    }

    package var isAtEnd: Bool { offset >= end }
    package var remaining: Int { end - offset }

    /// Steps over `count` bytes and says where they lie.
    package mutating func range(count: Int) throws(WebImageError) -> Range<Int> {
        guard count >= 0, count <= remaining else { throw .truncated(format) }
        defer { offset += count }
        return offset..<offset + count
    }

    package mutating func skip(_ count: Int) throws(WebImageError) { _ = try range(count: count) }

    package mutating func bytes(count: Int) throws(WebImageError) -> Data {
        data[in: try range(count: count)]
    }

    package mutating func byte() throws(WebImageError) -> UInt8 {
        let range = try range(count: 1)
        return data[data.startIndex + range.lowerBound]
    }

    package mutating func littleEndian(bytes count: Int) throws(WebImageError) -> Int {
        try bytes(count: count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    package mutating func bigEndian(bytes count: Int) throws(WebImageError) -> Int {
        try bytes(count: count).reduce(0) { $0 << 8 | Int($1) }
    }

    package mutating func fourCharacterCode() throws(WebImageError) -> FourCharacterCode {
        FourCharacterCode(rawValue: UInt32(try bigEndian(bytes: 4)))
    }
}

extension Data {
    /// The bytes of `range`, counted from the first byte whatever this slice's indices are.
    package subscript(in range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
