import FoundationEssentials
import WebImageCore

/// A box of an ISO media file (ISO/IEC 14496-12 §4.2), as ranges of the file.
package struct MediaBox {
    package let type: FourCharacterCode
    package let start: Int
    package let content: Range<Int>
    /// Whether it has no length of its own, and extends to the end of its container.
    package let isOpen: Bool

    /// The length of the version and the flags, with which the content of many boxes begins.
    package static let versionLength = 4

    /// Reads the header of the next box and skips the box.
    ///
    /// - Throws: ``WebImageError/Code/truncatedImageData`` where it extends beyond the end, and
    ///   ``WebImageError/Code/badImageData`` for an invalid length.
    package init(_ reader: inout ByteReader) throws(WebImageError) {
        start = reader.offset
        var length = try reader.bigEndian(bytes: 4)
        type = try reader.fourCharacterCode()
        var headLength = 8
        if length == 1 {
            length = try reader.bigEndian(bytes: 8)
            headLength = 16
        }
        isOpen = length == 0
        guard !isOpen else {
            content = try reader.range(count: reader.remaining)
            return
        }
        // A length of more than 63 bits reads as negative.
        guard length >= headLength else {
            throw .damaged(reader.format, "one of its boxes is shorter than its own head, or longer than any file")
        }
        content = try reader.range(count: length - headLength)
    }

    /// All boxes of a part of the file.
    package static func all(_ reader: ByteReader) throws(WebImageError) -> [MediaBox] {
        var reader = reader
        var result: [MediaBox] = []
        while !reader.isAtEnd { result.append(try MediaBox(&reader)) }
        return result
    }

    /// The boxes before the first damaged one.
    package static func readable(_ reader: ByteReader) -> [MediaBox] {
        var reader = reader
        var result: [MediaBox] = []
        while !reader.isAtEnd, let box = try? MediaBox(&reader) { result.append(box) }
        return result
    }
}
