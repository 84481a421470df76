import FoundationEssentials
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("Progressive decoding of PNG")
struct ProgressivePNGTests {
    private static func partials(
        _ data: Data, chunkSize: Int, options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws(WebImageError) -> [Image] {
        try ProgressiveJPEGTests.partials(of: data, chunkSize: chunkSize, options: options, coder: PNGCoder())
    }

    static let fixtures = [
        "palette.png", "photo-small.png", "translucent.png", "oriented.png", "profile.png", "animated.png",
    ]
    static let formats: [PixelFormat] = [.rgba8Premultiplied, .rgba16Straight]

    @Test("S0-5 OPT-2 a picture is revealed row by row, until it is the whole", arguments: fixtures, [1, 61, 5000])
    func rows(name: String, chunkSize: Int) throws {
        let data = try Fixtures.data(name)
        for box in [nil, PixelSize(width: 20, height: 20)] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = box
            let whole = try PNGCoder().decode(data, options: options)
            let partials = try Self.partials(data, chunkSize: chunkSize, options: options)
            #expect(partials.count <= 21)
            #expect(partials.allSatisfy { $0.pixelSize == whole.pixelSize && $0.metadata.isIncremental })
            #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
            #expect(partials.last?.bitmap.isOpaque == whole.bitmap.isOpaque)
        }
    }

    @Test("arrived rows are final, and the others are transparent")
    func finalRows() throws {
        let data = try Fixtures.data("photo-small.png")
        let whole = try PNGCoder().decode(data, options: ImageDecodeOptions()).bitmap
        let partials = try Self.partials(data, chunkSize: 200)
        #expect(partials.count > 4)
        for partial in partials {
            for y in 0..<whole.size.height {
                let row = (0..<whole.size.width).flatMap { partial.bitmap.pixel($0, y) }
                let isMissing = row.allSatisfy { $0 == 0 }
                #expect(isMissing || row == (0..<whole.size.width).flatMap { whole.pixel($0, y) })
            }
        }
    }

    @Test("every kind of pixel ends like the whole decode", arguments: PNGKind.all, formats)
    func kinds(kind: PNGKind, format: PixelFormat) throws {
        var options = ImageDecodeOptions()
        options.pixelFormat = format
        let whole = try PNGCoder().decode(kind.file, options: options)
        for chunkSize in [1, 40] {
            let partials = try Self.partials(kind.file, chunkSize: chunkSize, options: options)
            #expect(try #require(partials.last).bitmap.bytes == whole.bitmap.bytes)
        }
    }

    @Test("an interlaced picture appears as a whole, in blocks that become finer")
    func passes() throws {
        let file = PNGKind(colorType: 2, bitDepth: 8, isInterlaced: true).file
        let whole = try PNGCoder().decode(file, options: ImageDecodeOptions()).bitmap
        let partials = try Self.partials(file, chunkSize: 1)
        #expect(partials.count >= 7 && partials.count <= 11)
        for partial in partials { #expect(partial.bitmap.isOpaque, "a pixel is missing") }
        // The first pass has one pixel for each block of 8 × 8.
        let first = partials[0].bitmap
        for y in 0..<PNGKind.height {
            for x in 0..<PNGKind.width { #expect(first.pixel(x, y) == whole.pixel(x / 8 * 8, y / 8 * 8)) }
        }
        let quality = partials.map { partial in
            zip(partial.bitmap.bytes, whole.bytes).filter { $0 == $1 }.count
        }
        #expect(zip(quality, quality.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("an animation shows its default image, and states the number of its frames")
    func animation() throws {
        let data = try Fixtures.data("animated.png")
        let properties = try #require(try PNGCoder().properties(of: data, isComplete: true))
        let partials = try Self.partials(data, chunkSize: 20)
        #expect(partials.last?.metadata.frameCount == properties.frameCount)
        #expect(partials.last?.metadata.loopCount == properties.loopCount)
    }

    @Test("the bytes before the pixels are read once, in however many pieces they arrive")
    func longHead() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 1, height: 1)
        var empty = PNGBuilder()
        empty.append("teSt", [])
        let chunk = empty.data.dropFirst(8)
        var head = builder.data
        for _ in 0..<60_000 { head.append(chunk) }
        var pixels = PNGBuilder()
        pixels.appendPixels([0, 1, 2, 3, 255])
        pixels.appendEnd()
        let start = LookBudget.threadTime()
        let partials = try Self.partials(head + pixels.data.dropFirst(8), chunkSize: 1000)
        // Decoding from the beginning for each of the 720 pieces would take minutes.
        #expect(LookBudget.threadTime() - start < 30)
        #expect(partials.last?.bitmap.bytes == [1, 2, 3, 255])
    }

    @Test("damage is an error once, and no picture")
    func damage() throws {
        var builder = PNGBuilder()
        builder.appendHeader(width: 4, height: 4)
        builder.append("IDAT", [0x78, 0x01, 0xFF, 0xFF, 0xFF])
        builder.appendEnd()
        let decoder = PNGCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
        let error = #expect(throws: WebImageError.self) { try decoder.update(builder.data) }
        #expect(error?.code == .badImageData)
        #expect(try decoder.update(Data([1, 2, 3])) == nil)
    }

    @Test("limits and cancellation end it")
    func endings() throws {
        let data = PNGKind(colorType: 6, bitDepth: 8).file
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 10
        #expect(throws: WebImageError.self) { try Self.partials(data, chunkSize: 10, options: options) }
        options.limits = ImageLimits()
        options.limits.maximumByteCount = 50
        #expect(throws: WebImageError.self) { try Self.partials(data, chunkSize: 10, options: options) }
        options.limits = ImageLimits()
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let error = #expect(throws: WebImageError.self) { try Self.partials(data, chunkSize: 10, options: options) }
        #expect(error?.isCancelled == true)
    }

    @Test("damaged files do no harm, in pieces of any size", arguments: PNGKind.all)
    func mutants(kind: PNGKind) {
        var mutator = FileMutator(seed: 5)
        for index in 0..<100 {
            let mutant = mutator.mutate(kind.file)
            let data = index.isMultiple(of: 2) ? PNGBuilder.repairingCheckSums(mutant) : mutant
            _ = try? Self.partials(data, chunkSize: 7)
        }
    }
}
