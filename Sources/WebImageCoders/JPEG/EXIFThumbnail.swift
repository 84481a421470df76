import FoundationEssentials
import WebImageCore

/// The EXIF segment of a JPEG file with a thumbnail only (EXIF 2.32 §4.5.5; TIFF 6.0 §2).
enum EXIFThumbnail {
    private enum Tag {
        static let compression = 0x0103
        static let orientation = 0x0112
        static let thumbnailOffset = 0x0201
        static let thumbnailByteCount = 0x0202
    }

    private enum FieldType {
        static let short = 3
        static let long = 4
    }

    private static let headerByteCount = 8
    private static let jpegCompression = 6

    /// The content of the segment: the name, a header, a directory for the picture and one for the thumbnail, the
    /// thumbnail.
    ///
    /// - Parameter thumbnail: A JPEG file of less than 64 KB.
    static func segment(around thumbnail: Data) -> Data {
        let picture = [Field(tag: Tag.orientation, type: FieldType.short, value: 1)]
        let secondDirectory = headerByteCount + byteCount(ofDirectoryWith: picture.count)
        let pixels = secondDirectory + byteCount(ofDirectoryWith: 3)
        let small = [
            Field(tag: Tag.compression, type: FieldType.short, value: jpegCompression),
            Field(tag: Tag.thumbnailOffset, type: FieldType.long, value: pixels),
            Field(tag: Tag.thumbnailByteCount, type: FieldType.long, value: thumbnail.count),
        ]
        var data = Data("Exif\0\0".utf8)
        data.append(contentsOf: "II".utf8)
        data.append(integer: UInt16(42))
        data.append(integer: UInt32(headerByteCount))
        append(picture, next: secondDirectory, to: &data)
        append(small, next: 0, to: &data)
        return data + thumbnail
    }

    private struct Field {
        let tag: Int
        let type: Int
        let value: Int
    }

    private static func byteCount(ofDirectoryWith fieldCount: Int) -> Int { 2 + 12 * fieldCount + 4 }

    private static func append(_ fields: [Field], next: Int, to data: inout Data) {
        data.append(integer: UInt16(fields.count))
        for field in fields {
            data.append(integer: UInt16(field.tag))
            data.append(integer: UInt16(field.type))
            data.append(integer: UInt32(1))
            // A short value is in the first bytes of its four; in little-endian order, writing four bytes is the same.
            data.append(integer: UInt32(field.value))
        }
        data.append(integer: UInt32(next))
    }
}
