import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("BlurHash")
struct BlurHashTests {
    private static let published = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    /// A picture's size, the waves, and the hash that a program of its own has computed.
    private static let references: [(Int, Int, Int, Int, String)] = [
        (32, 24, 4, 3, "LrGJ1d5~sqS$ULn.bEbXc7fljrj]"), (32, 24, 9, 1, "8fGJ1d1qsqS$a]o#WUovWY"),
        (32, 24, 1, 1, "00GJ1d"),
        (20, 30, 4, 3, "LqF?ap6IsqbvULoObFbWgaj]fOfl"), (20, 30, 9, 1, "8eF?ap1;sqXSWlt8S0t5S4"),
        (1, 1, 4, 3, "L~3il~qAqAqAqAqAqAqAqAqAqAqA"), (3, 100, 4, 3, "LmCkX.PiEx?ZP^k.n-Xyknf$fPf*"),
        (3, 100, 9, 1, "8~CkX.TZJP%eJPTZ?@TZJP"),
        (
            32, 24, 9, 9,
            "|rGJ1d5~sqS$a]ogWUocWXULn.bEbXjwk7a~bajrc7fljrj]jrfkfQfifRkqWljwj=a}fkjsj[a{bpjwfObIa|j?jubFfRoya{fRbFfQj[a"
                + "{bHfPbqjufQj?fRfifRfifRoyWnjufkfOflfPj[a{bqjufRbFfSfhfRfifQ"
        ),
    ]

    @Test("hashes are those of the format's description, letter for letter", arguments: references)
    func encodes(width: Int, height: Int, columns: Int, rows: Int, expected: String) throws {
        let hash = try BlurHash(of: HashPicture.bitmap(width, height), columns: columns, rows: rows)
        #expect(hash.string == expected)
        #expect(hash.columns == columns && hash.rows == rows)
        #expect(try BlurHash(expected) == hash)
    }

    @Test("the published hash becomes the pixels of the format's description, at each punch")
    func decodes() throws {
        let hash = try BlurHash(Self.published)
        #expect(hash.columns == 4 && hash.rows == 3 && hash.description == Self.published)
        let size = PixelSize(width: 8, height: 6)
        #expect(
            try hash.bitmap(size: size).head(16)
                == [135, 164, 177, 255, 143, 167, 177, 255, 161, 173, 177, 255, 176, 178, 174, 255])
        #expect(try hash.bitmap(size: size, punch: 2).head(8) == [116, 176, 201, 255, 135, 181, 201, 255])
        #expect(try hash.bitmap(size: size, punch: 0).weightedSums.plain == 33840)
        #expect(hash.averageColor == RGBAColor(red: 151, green: 150, blue: 149))
        let square = try hash.bitmap(size: PixelSize(width: 32, height: 32))
        #expect(square.weightedSums == (719_147, 88_521_278) && square.isOpaque)
    }

    @Test("16 bits a channel, premultiplied alpha and a large picture have about the same hash")
    func otherBitmaps() throws {
        let expected = try BlurHash(of: HashPicture.bitmap(32, 24))
        for format: PixelFormat in [.rgba8Premultiplied, .rgba16Straight, .rgba16Premultiplied] {
            #expect(try BlurHash(of: HashPicture.bitmap(32, 24, format: format)) == expected)
        }
        let large = try BlurHash(of: HashPicture.bitmap(640, 480))
        let small = try BlurHash(of: HashPicture.bitmap(100, 75))
        let (one, other) = (large.averageColor, small.averageColor)
        #expect(largestDifference([one.red, one.green, one.blue], [other.red, other.green, other.blue]) <= 2)
        // At most a step in each channel.
        for (one, other) in zip(large.waveCodes, small.waveCodes) {
            for place in [1, 19, 361] { #expect(abs(one / place % 19 - other / place % 19) <= 1) }
        }
    }

    @Test("where a picture is transparent, its mean colour takes the place")
    func transparent() throws {
        let pixels =
            [[UInt8]](repeating: [200, 100, 50, 255], count: 32) + [[UInt8]](repeating: [0, 0, 0, 0], count: 32)
        let bitmap = try Bitmap(
            size: PixelSize(width: 8, height: 8), format: .rgba8Straight, pixels: pixels.flatMap(\.self))
        let hash = try BlurHash(of: bitmap)
        #expect(hash.averageColor == RGBAColor(red: 200, green: 100, blue: 50))
        let plain = [[UInt8]](repeating: [200, 100, 50, 255], count: 64).flatMap(\.self)
        #expect(try BlurHash(of: Bitmap(size: bitmap.size, pixels: plain)) == hash)
    }

    @Test(
        "a text that is no BlurHash is one error that says why",
        arguments: [
            ("", "0 characters"), ("L", "1 characters"), ("00000", "5 characters"),
            ("LEHV6nWB2yk8pyo0adR*.7kCMdn", "28"),
            ("LEHV6nWB2yk8pyo0adR*.7kCMdnj0", "28"), ("LEHV6nWB2yk8pyo0adR*.7kCMd\"j", "none of its digits"),
            ("LEHV6nWB2yk8pyo0adR*.7kCMdné", "none of its digits"),
            ("LEHV6nWB2yk8pyo0adR*.7kCMdn\0", "none of its digits"),
            ("00~~~~", "too large"), ("10GJ1d~~", "too large"), ("}0GJ1d", "no size"), ("~0GJ1d", "no size"),
        ])
    func refuses(text: String, finding: String) {
        let error = #expect(throws: WebImageError.self) { try BlurHash(text) }
        #expect(error?.code == .badImageData && error?.reason.contains(finding) == true, "\(error?.reason ?? "")")
    }

    @Test("sizes, punches and numbers of waves beyond their ranges are one error each")
    func ranges() throws {
        let hash = try BlurHash(Self.published)
        for (width, height) in [(0, 0), (0, 8), (8, -1), (4097, 1), (Int.max, Int.max), (1, Int.min)] {
            let error = #expect(throws: WebImageError.self) {
                try hash.bitmap(size: PixelSize(width: width, height: height))
            }
            #expect(error?.code == .limitExceeded)
        }
        for punch in [-1, Double.nan, Double.infinity, -Double.infinity] {
            let error = #expect(throws: WebImageError.self) {
                try hash.bitmap(size: PixelSize(width: 2, height: 2), punch: punch)
            }
            #expect(error?.code == .badImageData)
        }
        // Sums of infinite waves are no numbers.
        _ = try hash.bitmap(size: PixelSize(width: 7, height: 7), punch: .greatestFiniteMagnitude)
        for (columns, rows) in [(0, 3), (4, 0), (10, 1), (1, 10), (Int.min, Int.max)] {
            let error = #expect(throws: WebImageError.self) {
                try BlurHash(of: HashPicture.bitmap(4, 4), columns: columns, rows: rows)
            }
            #expect(error?.code == .encodeFailed)
        }
    }

    @Test("random texts are refused or become pictures")
    func random() throws {
        var random = SeededGenerator(seed: 83)
        let size = PixelSize(width: 5, height: 3)
        var accepted = 0
        for round in 0..<4000 {
            let count = round % 2 == 0 ? Int.random(in: 0...40, using: &random) : 28
            // The digits themselves, and what is beside them.
            var bytes = (0..<count).map { _ in UInt8.random(in: round % 3 == 0 ? 0...255 : 35...126, using: &random) }
            if round % 2 == 1 { bytes = Array(Self.published.utf8.prefix(round % 5)) + bytes.dropFirst(round % 5) }
            guard let hash = try? BlurHash(String(decoding: bytes, as: UTF8.self)) else { continue }
            accepted += 1
            #expect(try hash.bitmap(size: size).size == size)
        }
        #expect(accepted > 0)
    }
}
