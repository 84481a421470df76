import Foundation
import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("ThumbHash")
struct ThumbHashTests {
    /// A picture's size, whether it is opaque, and the hash that a program of its own has computed.
    private static let references: [(Int, Int, Bool, String)] = [
        (32, 24, true, "HukJRZRwd3iZd3iHh4eHh3dvKAd4"), (20, 30, true, "3ugNRRaAd5l3eHiIh4eHd3dvKAeI"),
        (32, 32, false, "nImFFQY3MGdsd4l4h2N/LAMibXiPh3iIeA=="), (16, 5, false, "HXqFGog4QHZrd4ljfzsDQ214f4d3iHc="),
        (90, 40, true, "H/kJQ5Zwd3iZeHh4d28oB3g="),
        (41, 29, true, "3ugJRZRwd3iZd3iHh4eHh3dvKAd4"), (100, 67, true, "3/gJRZRwd3iZeHiHh4eHh3dvKQd4"),
        (100, 67, false, "3YmFE4Y3MGZsd4ljfywCIm14j4d4iHg="),
    ]

    @Test("hashes are those of the format's description, byte for byte", arguments: references)
    func encodes(width: Int, height: Int, isOpaque: Bool, expected: String) throws {
        let hash = try ThumbHash(of: HashPicture.bitmap(width, height, isOpaque: isOpaque))
        #expect(hash.base64 == expected)
        #expect(hash.hasAlpha != isOpaque)
        #expect(try ThumbHash(hash.bytes) == hash)
        #expect(try ThumbHash(base64: expected) == hash)
        #expect(try ThumbHash(base64: expected.replacing("=", with: "")) == hash, "without padding")
        let ratio = Double(width) / Double(height)
        #expect(abs(log(hash.aspectRatio / ratio)) < (ratio < 0.1 ? 1.6 : 0.3), "\(hash.aspectRatio)")
    }

    /// Hashes that the format's author has published, and one with alpha; the size, the sum of the bytes, and their sum with
    /// weights, by a program of its own.
    private static let pictures: [(String, Int, Int, [UInt8], Int, Int)] = [
        ("1QcSHQRnh493V4dIh4eXh1h4kJUI", 23, 32, [64, 77, 113, 255, 66, 79, 114, 255], 375_116, 46_033_055),
        ("3OcRJYB4d3h/iIeHeEh3eIhw+j3A", 32, 23, [124, 136, 159, 255, 125, 137, 159, 255], 436_778, 53_900_540),
        ("HBkSHYSIeHiPiHh8eJd4eTN0EEQG", 32, 23, [213, 255, 255, 255, 215, 255, 255, 255], 436_442, 53_126_973),
        ("HukJRZRwd3iZd3iHh4eHh3dvKAd4", 32, 23, [25, 219, 27, 255, 28, 221, 28, 255], 454_671, 55_904_736),
    ]

    @Test("opaque hashes become the pixels of the format's description", arguments: pictures)
    func decodes(text: String, width: Int, height: Int, head: [UInt8], sum: Int, byPlace: Int) throws {
        let bitmap = try ThumbHash(base64: text).bitmap()
        #expect(bitmap.size == PixelSize(width: width, height: height) && bitmap.isOpaque)
        #expect(bitmap.head(8) == head)
        #expect(bitmap.weightedSums == (sum, byPlace))
    }

    @Test("a hash with alpha becomes translucent pixels, and any size the same picture")
    func alpha() throws {
        let hash = try ThumbHash(base64: "nImFFQY3MGdsd4l4h2N/LAMibXiPh3iIeA==")
        let bitmap = try hash.bitmap()
        #expect(
            bitmap.format == .rgba8Premultiplied && !bitmap.isOpaque && bitmap.size == PixelSize(width: 32, height: 32))
        #expect(bitmap.head(8) == [26, 201, 46, 255, 28, 202, 47, 255])
        #expect(bitmap.pixel(31, 31) == [0, 0, 0, 0], "premultiplied")
        #expect(try hash.bitmap(size: PixelSize(width: 9, height: 4)).head(8) == [30, 194, 49, 255, 51, 201, 60, 255])
        let color = hash.averageColor
        #expect(color.alpha > 100 && color.alpha < 200 && color.green > color.blue)
    }

    @Test("16 bits a channel, premultiplied alpha and a large picture have about the same hash")
    func otherBitmaps() throws {
        let expected = try ThumbHash(of: HashPicture.bitmap(32, 24))
        for format: PixelFormat in [.rgba8Premultiplied, .rgba16Straight, .rgba16Premultiplied] {
            #expect(try ThumbHash(of: HashPicture.bitmap(32, 24, format: format)) == expected)
        }
        let large = try ThumbHash(of: HashPicture.bitmap(640, 480)).bitmap()
        let small = try ThumbHash(of: HashPicture.bitmap(100, 75)).bitmap()
        #expect(largestDifference(small.bytes, large.bytes) < 12)
    }

    @Test("a picture of one column has no waves across it", arguments: [1, 2])
    func thin(width: Int) throws {
        let color: [UInt8] = [9, 99, 200, 255]
        let thin = try ThumbHash(of: TestColors.plain(width, 5000, color))
        #expect(thin.aspectRatio == 1.0 / 7)
        let pixels = try thin.bitmap().bytes
        let expected = (0..<pixels.count / 4).flatMap { _ in color }
        #expect(largestDifference(pixels, expected) < 12)
    }

    @Test("bytes that are no ThumbHash are one error that says why")
    func refuses() throws {
        let whole = [UInt8](try ThumbHash(of: HashPicture.bitmap(32, 24)).bytes)
        var flat = whole
        flat[3] &= 0xF8
        for (bytes, finding) in [
            ([], "0 bytes"), (Array(whole.prefix(4)), "4 bytes"), (Array(whole.prefix(5)), "needs 21 bytes"),
            (whole.dropLast(), "needs 21 bytes, and it has 20"), (whole + [0], "it has 22"),
            (flat, "no width or height"),
        ] {
            let error = #expect(throws: WebImageError.self) { try ThumbHash(Data(bytes)) }
            #expect(error?.code == .badImageData && error?.reason.contains(finding) == true, "\(error?.reason ?? "")")
        }
        for text in ["", "?", "HukJ", "HukJRZRwd3iZd3iHh4eHh3dvKAd\u{E9}"] {
            #expect(throws: WebImageError.self) { try ThumbHash(base64: text) }
        }
        let hash = try ThumbHash(Data(whole))
        for (width, height) in [(0, 0), (8, -1), (4097, 1), (Int.max, Int.max)] {
            let error = #expect(throws: WebImageError.self) {
                try hash.bitmap(size: PixelSize(width: width, height: height))
            }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("a slice of other bytes is read from its own beginning")
    func slices() throws {
        let hash = try ThumbHash(of: HashPicture.bitmap(32, 24))
        let slice = (Data([1, 2, 3]) + hash.bytes + Data([4])).dropFirst(3).dropLast()
        let read = try ThumbHash(slice)
        #expect(read == hash)
        #expect(try read.bitmap().bytes == hash.bitmap().bytes)
    }

    @Test("random bytes are refused or become pictures")
    func random() throws {
        var random = SeededGenerator(seed: 25)
        var accepted = 0
        for _ in 0..<4000 {
            let bytes = (0..<Int.random(in: 0...27, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            guard let hash = try? ThumbHash(Data(bytes)) else { continue }
            accepted += 1
            let size = try hash.bitmap().size
            #expect(max(size.width, size.height) == 32)
            _ = hash.averageColor
        }
        #expect(accepted > 20)
    }
}
