import FoundationEssentials
import WebImageCoders
import WebImageCore

/// The boxes around a codestream (ISO/IEC 18181-2 §9).
enum JXLContainer {
    /// The ranges of the codestream in a file, or in its beginning: all of it where there are no boxes.
    static func codestream(in data: Data) -> [Range<Int>] {
        // A bare codestream begins with another signature.
        guard data.starts(with: [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]) else { return [0..<data.count] }
        var reader = ByteReader(data, format: .jpegXL)
        var ranges: [Range<Int>] = []
        while let (type, content) = try? box(&reader) {
            // A number precedes each of several parts.
            if type == "jxlp" { ranges.append(min(content.lowerBound + 4, content.upperBound)..<content.upperBound) }
            if type == "jxlc" { ranges.append(content) }
        }
        return ranges
    }

    /// The next box, which may go on behind the end of the data.
    private static func box(_ reader: inout ByteReader) throws(WebImageError) -> (FourCharacterCode, Range<Int>) {
        let start = reader.offset
        var length = try reader.bigEndian(bytes: 4)
        let type = try reader.fourCharacterCode()
        if length == 1 { length = try reader.bigEndian(bytes: 8) }
        let (head, rest) = (reader.offset - start, reader.remaining)
        guard length == 0 || length >= head else { throw .damaged(.jpegXL, "one of its boxes is too short") }
        return (type, try reader.range(count: length == 0 ? rest : min(length - head, rest)))
    }
}

extension Data {
    /// The codestream of a JPEG XL file, without boxes.
    var jpegXLCodestream: Data {
        let ranges = JXLContainer.codestream(in: self)
        if ranges == [0..<count] { return self }
        return ranges.reduce(into: Data()) { $0 += self[in: $1] }
    }
}
