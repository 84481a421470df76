import FoundationEssentials
import WebImageCore

/// Reads numbers and ranges from a file's bytes in order, and throws where the file ends too early.
///
/// A coder with only the beginning of a file catches ``WebImageError/Code/truncatedImageData`` and asks for more.
package struct ByteReader {
    package let data: Data
    package let format: ImageFormat
    /// Bytes from the beginning of the file.
    package private(set) var offset = 0
    /// The end of reading: that of the file, or that of a container.
    package let end: Int

    package init(_ data: Data, format: ImageFormat) {
        self.data = data
        self.format = format
        end = data.count
    }

    /// A reader of a part of the file; a part beyond the end of the file is cut.
    package init(_ data: Data, format: ImageFormat, range: Range<Int>) {
        self.data = data
        self.format = format
        end = min(range.upperBound, data.count)
        offset = min(range.lowerBound, end)
    }

    package var isAtEnd: Bool { offset >= end }
    package var remaining: Int { end - offset }

    /// Skips `count` bytes and returns their range.
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
    /// The bytes of `range`, counted from the first byte, independent of the slice's indices.
    package subscript(in range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
