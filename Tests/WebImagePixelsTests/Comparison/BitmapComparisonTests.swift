import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@Suite("Comparing bitmaps")
struct BitmapComparisonTests {
    private static let size = PixelSize(width: 53, height: 41)

    /// Waves with some noise; the noise of two seeds differs.
    private static func picture(
        seed: UInt64, format: PixelFormat = .rgba8Premultiplied, isOpaque: Bool = false, size: PixelSize = size
    ) throws -> Bitmap {
        var random = SeededGenerator(seed: seed)
        var channels: [Double] = []
        for index in 0..<size.area {
            let (x, y) = (index % size.width, index / size.width)
            let alpha = isOpaque ? 1 : Double((x * 3 + y * 5) % 97) / 96
            let wave = Double((x * 7 + y * 4) % 60) / 60
            channels += [wave, 1 - wave, 0.5].map {
                alpha * min(1, max(0, $0 + .random(in: -0.1...0.1, using: &random)))
            }
            channels.append(alpha)
        }
        let pixels: [UInt8] =
            format.depth == .eight
            ? channels.map { UInt8(($0 * 255).rounded()) }
            : channels.flatMap { channel in
                withUnsafeBytes(of: UInt16((channel * 65_535).rounded())) { Array($0) }
            }
        return try Bitmap(size: size, format: format, pixels: pixels)
    }

    @Test(
        "PSNR and SSIM are those of a reference in double precision",
        arguments: [PixelFormat.rgba8Premultiplied, .rgba16Premultiplied], [true, false])
    func reference(format: PixelFormat, isOpaque: Bool) throws {
        let first = try Self.picture(seed: 1, format: format, isOpaque: isOpaque)
        let second = try Self.picture(seed: 2, format: format, isOpaque: isOpaque)
        let pair = try BitmapPair(first, second)
        let reference = SimilarityReference(first, second)
        try #require(reference.isOpaque == isOpaque)
        #expect(abs(try pair.difference().peakSignalToNoise - reference.peakSignalToNoise) < 1e-9)
        let similarities = (isOpaque ? [0] : [0, 1]).map { reference.similarity(over: $0) }
        let expected = try #require(similarities.min())
        let similarity = try #require(try pair.structuralSimilarity())
        #expect(abs(similarity - expected) < 1e-9)
        #expect(expected > 0.2 && expected < 0.95)
        if !isOpaque { #expect(similarities[0] != similarities[1]) }
    }

    @Test("the largest difference of each channel and the number of pixels that differ are exact")
    func differences() throws {
        for format in [PixelFormat.rgba8Premultiplied, .rgba16Premultiplied] {
            let first = try Self.picture(seed: 1, format: format)
            let second = try Self.picture(seed: 2, format: format)
            let width = format.bytesPerPixel / 4
            let numbers = zip(first.bytes, second.bytes).map { ($0, $1) }
            var largest = [0, 0, 0, 0]
            var differing = Set<Int>()
            for index in stride(from: 0, to: numbers.count, by: width) {
                let (one, other) = (0..<width).reduce((0, 0)) { sum, byte in
                    (
                        sum.0 + Int(numbers[index + byte].0) << (8 * byte),
                        sum.1 + Int(numbers[index + byte].1) << (8 * byte)
                    )
                }
                let channel = index / width % 4
                largest[channel] = max(largest[channel], abs(one - other))
                if one != other { differing.insert(index / format.bytesPerPixel) }
            }
            let difference = try BitmapPair(first, second).difference()
            let found = difference.largest
            #expect([found.red, found.green, found.blue, found.alpha] == largest)
            #expect(found.largest == largest.max())
            #expect(difference.pixelCount == differing.count && differing.count < Self.size.area)
        }
    }

    @Test("a picture is the same as itself: infinite decibels, a similarity of 1, a black picture of differences")
    func same() throws {
        for format in [PixelFormat.rgba8Premultiplied, .rgba16Premultiplied] {
            let pair = try BitmapPair(
                try Self.picture(seed: 1, format: format), try Self.picture(seed: 1, format: format))
            let difference = try pair.difference()
            #expect(difference.peakSignalToNoise == .infinity && difference.largest.largest == 0)
            #expect(difference.pixelCount == 0)
            let similarity = try #require(try pair.structuralSimilarity())
            #expect(abs(similarity - 1) < 1e-12)
            let picture = try pair.differencePicture(times: 255)
            #expect(picture.format == format && picture.isOpaque)
            let transparentBlack = try BitmapPair(picture, picture).differencePicture(times: 1)
            #expect(picture.bytes == transparentBlack.bytes)
        }
    }

    @Test(
        "the picture of differences has each colour's, amplified and cut at white, or that of alpha where it is larger")
    func differencePicture() throws {
        let size = PixelSize(width: 3, height: 1)
        let first = try Bitmap(size: size, pixels: [10, 20, 30, 255, 0, 0, 0, 255, 100, 0, 0, 255])
        let second = try Bitmap(size: size, pixels: [13, 18, 30, 255, 0, 0, 0, 250, 0, 0, 0, 255])
        let picture = try BitmapPair(first, second).differencePicture(times: 4)
        #expect(picture.bytes == [12, 8, 0, 255, 20, 20, 20, 255, 255, 0, 0, 255])
        let deep = try BitmapPair(first, try second.converted(to: .rgba16Premultiplied)).differencePicture(times: 4)
        #expect(try deep.converted(to: .rgba8Premultiplied).bytes == picture.bytes)
    }

    @Test("8 bits meet 16 bits in 16 bits, and colours under no alpha count for nothing")
    func formats() throws {
        let shallow = try Self.picture(seed: 1)
        let deep = try shallow.converted(to: .rgba16Premultiplied)
        let pair = try BitmapPair(shallow, deep)
        #expect(pair.depth == .sixteen)
        #expect(try pair.difference().pixelCount == 0)
        let size = PixelSize(width: 1, height: 1)
        let hidden = try Bitmap(size: size, format: .rgba8Straight, pixels: [200, 100, 50, 0])
        let clear = try Bitmap(size: size, format: .rgba8Straight, pixels: [0, 0, 0, 0])
        #expect(try BitmapPair(hidden, clear).difference().pixelCount == 0)
    }

    @Test("black that appears on a transparent ground is seen")
    func blackOnNothing() throws {
        let count = Self.size.area
        let clear = try Bitmap(size: Self.size, pixels: Array(repeating: 0, count: 4 * count))
        let black = try Bitmap(size: Self.size, pixels: (0..<count).flatMap { _ in [0, 0, 0, 255] as [UInt8] })
        let similarity = try #require(try BitmapPair(clear, black).structuralSimilarity())
        #expect(similarity < 0.01)
    }

    @Test("pictures of less than 11 pixels a side have no similarity, and those of 11 have one")
    func small() throws {
        for (side, hasSimilarity) in [(10, false), (11, true)] {
            for size in [PixelSize(width: side, height: 20), PixelSize(width: 20, height: side)] {
                let pair = try BitmapPair(try Self.picture(seed: 1, size: size), try Self.picture(seed: 2, size: size))
                #expect((try pair.structuralSimilarity() != nil) == hasSimilarity)
                #expect(try pair.difference().peakSignalToNoise.isFinite)
            }
        }
    }

    @Test("different sizes are one clear error, and a comparison can be cancelled")
    func refusals() throws {
        let first = try Self.picture(seed: 1)
        let other = try Self.picture(seed: 1, size: PixelSize(width: 41, height: 53))
        let error = #expect(throws: WebImageError.self) { try BitmapPair(first, other) }
        #expect(error?.reason == "pictures of 53×41 and 41×53 pixels cannot be compared; resize one of them")
        let flag = CancellationFlag()
        flag.cancel()
        let pair = try BitmapPair(first, first)
        #expect(throws: WebImageError.self) { try pair.structuralSimilarity(until: flag) }
        #expect(throws: WebImageError.self) { try pair.difference(until: flag) }
    }
}
