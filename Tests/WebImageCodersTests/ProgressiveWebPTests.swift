import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("Progressive decoding of still WebP")
struct ProgressiveWebPTests {
    private static let fixtures = ["lossy.webp", "lossy-alpha.webp", "lossless.webp"]
    private static let boxes = [nil, PixelSize(width: 20, height: 20), PixelSize(width: 70, height: 200)]

    private static func partials(
        _ data: Data, chunkSize: Int, options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) -> [Image] {
        try ProgressiveJPEGTests.partials(of: data, chunkSize: chunkSize, options: options, coder: WebPCoder())
    }

    private static func rows(_ bitmap: Bitmap) -> [[UInt8]] {
        (0..<bitmap.size.height).map { y in (0..<bitmap.size.width).flatMap { bitmap.pixel($0, y) } }
    }

    @Test(
        "S0-5 OPT-2 a picture is revealed row by row, each like the whole, until it is the whole",
        arguments: fixtures, [1, 61, 5000])
    func rows(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        for box in Self.boxes {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            let whole = try WebPCoder().decode(data, options: options)
            let wholeRows = Self.rows(whole.bitmap)
            let partials = try Self.partials(data, chunkSize: chunkSize, options: options)
            #expect(partials.count <= 21)
            var seen = 0
            for partial in partials {
                #expect(partial.pixelSize == whole.pixelSize && partial.metadata.isIncremental)
                let rows = Self.rows(partial.bitmap)
                let known = zip(rows, wholeRows).prefix { $0.0 == $0.1 }.count
                #expect(rows[known...].allSatisfy { row in row.allSatisfy { $0 == 0 } })
                #expect(known > seen)
                seen = known
            }
            #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
            #expect(partials.last?.bitmap.isOpaque == whole.bitmap.isOpaque)
        }
    }

    @Test("rows appear as the file arrives", arguments: ["lossy.webp", "lossless.webp"])
    func early(name: String) throws {
        let data = try Fixtures.data(name)
        let partials = try Self.partials(data.prefix(data.count * 3 / 4), chunkSize: 50)
        #expect(!partials.isEmpty)
    }

    @Test("a picture that EXIF data at its end may turn is shown when it is complete, or as it is stored")
    func turned() throws {
        let data = try Fixtures.data("oriented.webp")
        #expect(try Self.partials(data, chunkSize: 10).isEmpty)
        let partials = try Self.partials(data, chunkSize: 10, options: .storedPixels)
        let whole = try WebPCoder().decode(data, options: .storedPixels)
        #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
    }

    /// An animation with an orientation in EXIF data after its frames.
    private static func turnedAnimation() throws -> Data {
        var data = try Fixtures.data("animated.webp")
        data[data.startIndex + 20] |= 0x08
        let tiff: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        data.append(contentsOf: Array("EXIF".utf8) + [UInt8(tiff.count), 0, 0, 0] + tiff)
        let size = data.count - 8
        for index in 0..<4 { data[data.startIndex + 4 + index] = UInt8(size >> (index * 8) & 255) }
        return data
    }

    @Test("an animation that EXIF data at its end may turn is shown when it is complete, or as it is stored")
    func turnedFrames() throws {
        let data = try Self.turnedAnimation()
        let stored = try WebPCoder().decode(data, options: .storedPixels)
        let whole = try WebPCoder().decode(data, options: ImageDecodeOptions())
        #expect(whole.bitmap.bytes != stored.bitmap.bytes)
        for chunkSize in [10, 1000] {
            #expect(try Self.partials(data, chunkSize: chunkSize).isEmpty)
            let partials = try Self.partials(data, chunkSize: chunkSize, options: .storedPixels)
            #expect(try #require(partials.last).bitmap.bytes == stored.bitmap.bytes)
        }
    }

    @Test("the bytes before the pixels are read once, in however many pieces they arrive")
    func longHead() throws {
        let file = try Fixtures.data("lossless.webp")
        let chunk = Array("teSt".utf8) + [0, 0, 0, 0]
        var data = file.prefix(12)
        for _ in 0..<60_000 { data.append(contentsOf: chunk) }
        data.append(file.dropFirst(12))
        for index in 0..<4 { data[data.startIndex + 4 + index] = UInt8((data.count - 8) >> (index * 8) & 255) }
        let start = LookBudget.threadTime()
        let partials = try Self.partials(data, chunkSize: 1000)
        // Decoding from the beginning for each of the 480 pieces would take minutes.
        #expect(LookBudget.threadTime() - start < 30)
        let whole = try WebPCoder().decode(file, options: ImageDecodeOptions())
        #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
    }

    @Test("pixels that end early throw once", arguments: fixtures)
    func truncation(name: String) throws {
        let data = try Fixtures.data(name)
        let decoder = WebPCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
        // The chunk's length is too short; the file continues.
        var short = data
        let type = Data((name == "lossless.webp" ? "VP8L" : "VP8 ").utf8)
        let place = try #require(short.firstRange(of: type)).upperBound
        short[place + 1] = 0
        let error = #expect(throws: WebImageError.self) { _ = try decoder.update(short) }
        #expect([.truncatedImageData, .badImageData].contains(error?.code))
        #expect(try decoder.update(data) == nil)
    }

    @Test("limits and cancellation end it")
    func endings() throws {
        let data = try Fixtures.data("lossy.webp")
        let limits: [(String, (inout ImageLimits) -> Void)] = [
            ("maximumByteCount", { $0.maximumByteCount = 100 }), ("maximumPixelCount", { $0.maximumPixelCount = 96 }),
            ("maximumSourcePixelCount", { $0.maximumSourcePixelCount = 96 }),
        ]
        for (name, lower) in limits {
            var options = ImageDecodeOptions()
            lower(&options.limits)
            let error = #expect(throws: WebImageError.self) { try Self.partials(data, chunkSize: 40, options: options) }
            #expect(error?.code == .limitExceeded && error?.reason.contains(name) == true)
        }
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let error = #expect(throws: WebImageError.self) { try Self.partials(data, chunkSize: 40, options: options) }
        #expect(error?.isCancelled == true)
    }

    @Test("files damaged at random show pictures or fail, and nothing worse", arguments: fixtures, [1, 50, 5000])
    func mutants(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        var mutator = FileMutator(seed: UInt64(chunkSize))
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 16
        options.limits.maximumSourcePixelCount = 1 << 16
        for round in 0..<100 {
            options.thumbnailPixelSize = round % 2 == 0 ? nil : PixelSize(width: 1 + round % 40, height: 30)
            _ = try? Self.partials(mutator.mutate(data), chunkSize: chunkSize, options: options)
        }
    }
}
