import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("EXIF orientation")
struct EXIFOrientationTests {
    /// A TIFF header and one directory of 12-byte entries: tag, type, count, and the four bytes of the value.
    private static func block(
        _ entries: [(tag: Int, type: Int, count: Int, value: [UInt8])], isLittleEndian: Bool, directoryAt: Int = 8
    ) -> Data {
        func digits(_ value: Int, _ count: Int) -> [UInt8] {
            let bytes = (0..<count).map { UInt8(value >> (8 * $0) & 255) }
            return isLittleEndian ? bytes : bytes.reversed()
        }
        var bytes = Array((isLittleEndian ? "II" : "MM").utf8) + digits(42, 2) + digits(directoryAt, 4)
        bytes += digits(entries.count, 2)
        for entry in entries {
            bytes += digits(entry.tag, 2) + digits(entry.type, 2) + digits(entry.count, 4) + entry.value
        }
        return Data(bytes)
    }

    @Test(
        "HLP-12 each number follows the standard, so that the picture is upright",
        arguments: [
            (1, ImageOrientation.up, "abc def"), (2, .upMirrored, "cba fed"), (3, .down, "fed cba"),
            (4, .downMirrored, "def abc"), (5, .leftMirrored, "ad be cf"), (6, .right, "da eb fc"),
            (7, .rightMirrored, "fc eb da"), (8, .left, "cf be ad"),
        ])
    func numbers(number: UInt8, orientation: ImageOrientation, seen: String) throws {
        #expect(ImageOrientation(rawValue: Int(number)) == orientation)
        #expect(orientation.swapsSides == (number >= 5))
        // Two rows of gray pixels: a b c and d e f.
        var file = PNGBuilder()
        file.appendHeader(width: 3, height: 2, colorType: 0)
        file.append("eXIf", Array(Self.block([(0x0112, 3, 1, [number, 0, 0, 0])], isLittleEndian: true)))
        file.appendPixels([0] + Array("abc".utf8) + [0] + Array("def".utf8))
        file.appendEnd()
        let bitmap = try PNGCoder().decode(file.data, options: ImageDecodeOptions()).bitmap
        let rows = (0..<bitmap.size.height).map { y in
            String(decoding: (0..<bitmap.size.width).map { bitmap.pixel($0, y)[0] }, as: UTF8.self)
        }
        #expect(rows.joined(separator: " ") == seen)
    }

    @Test("the tag is read in both byte orders", arguments: ImageOrientation.allCases, [true, false])
    func bothByteOrders(orientation: ImageOrientation, isLittleEndian: Bool) {
        let number = UInt8(orientation.rawValue)
        let value: [UInt8] = isLittleEndian ? [number, 0, 0, 0] : [0, number, 0, 0]
        let block = Self.block(
            [(0x010F, 2, 4, [65, 66, 67, 0]), (0x0112, 3, 1, value)], isLittleEndian: isLittleEndian)
        #expect(EXIFOrientation.parse(block) == orientation)
        #expect(EXIFOrientation.parse(Data("Exif\0\0".utf8) + block) == orientation)
        // A slice does not begin at index 0.
        #expect(EXIFOrientation.parse((Data([1, 2, 3]) + block).dropFirst(3)) == orientation)
    }

    @Test("a long instead of a short is understood")
    func longValue() {
        let block = Self.block([(0x0112, 4, 1, [0, 0, 0, 6])], isLittleEndian: false)
        #expect(EXIFOrientation.parse(block) == .right)
    }

    @Test(
        "an orientation in XMP is found, as attribute and as element",
        arguments: [
            ("<rdf:Description tiff:Orientation=\"6\"/>", ImageOrientation.right),
            ("<tiff:Orientation>3</tiff:Orientation>", .down), ("<x tiff:Orientation = '8' >", .left),
            ("<x tiff:Orientation=\"9\">", nil), ("<x tiff:Orientation=\"10\">", nil),
            ("<x tiff:Orientation=\"", nil), ("tiff:Orientation", nil), ("<tiff:Orientation/>", nil), ("", nil),
        ])
    func xmp(packet: String, orientation: ImageOrientation?) {
        #expect(XMPOrientation.find(in: Data(packet.utf8)) == orientation)
        #expect(XMPOrientation.find(in: Data(("xy" + packet).utf8).dropFirst(2)) == orientation)
    }

    @Test(
        "any other value means upright",
        arguments: [
            block([(0x0112, 3, 1, [9, 0, 0, 0])], isLittleEndian: true),
            block([(0x0112, 3, 1, [0, 0, 0, 0])], isLittleEndian: true),
            block([(0x0112, 2, 1, [6, 0, 0, 0])], isLittleEndian: true),
            block([(0x0112, 3, 2, [6, 0, 6, 0])], isLittleEndian: true),
            block([(0x0112, 3, 1, [6, 0, 0, 0])], isLittleEndian: true, directoryAt: 0x7FFF_FFFF),
            block([(0x0112, 4, 1, [255, 255, 255, 255])], isLittleEndian: true),
            block([(0x0113, 3, 1, [6, 0, 0, 0])], isLittleEndian: true),
            block([], isLittleEndian: false), Data(), Data("II".utf8), Data("Exif\0\0".utf8),
        ])
    func odd(block: Data) {
        #expect(EXIFOrientation.parse(block) == .up)
    }

    @Test("a block that is cut or damaged anywhere does no harm")
    func damaged() {
        let block = Self.block([(0x0100, 3, 1, [1, 0, 0, 0]), (0x0112, 3, 1, [6, 0, 0, 0])], isLittleEndian: true)
        for count in 0..<block.count - 2 { #expect(EXIFOrientation.parse(block.prefix(count)) == .up) }
        for index in block.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var damaged = block
                damaged[index] = value
                _ = EXIFOrientation.parse(damaged)
            }
        }
    }
}
