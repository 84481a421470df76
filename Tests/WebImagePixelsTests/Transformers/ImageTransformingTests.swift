import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Transforming")
struct ImageTransformingTests {
    private static let key = CacheKey("a.png")

    /// Does what it is told to.
    private static func animated() throws -> Image {
        var metadata = ImageMetadata(
            format: .gif, originalPixelSize: PixelSize(width: 40, height: 20), frameCount: 3, loopCount: 2,
            isThumbnail: true)
        metadata.extendedData = Data("mine".utf8)
        metadata.isIncremental = true
        metadata.isVector = true
        let bitmap = try TestPicture.noise(PixelSize(width: 20, height: 10))
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 20, height: 20)
        return Image(
            bitmap: bitmap, scale: 2, metadata: metadata, animation: ScriptedFrames(bitmap, 3, loopCount: 2),
            decodeOptions: options)
    }

    @Test("PIPE-10 A75 the result keeps format, frames, loops, extended data and decode options, and is marked")
    func metadata() throws {
        let source = try Self.animated()
        let flip = ImageFlippingTransformer(horizontal: true, vertical: false)
        let result = try #require(source.transformed(by: flip, for: Self.key))
        var expected = source.metadata
        expected.isTransformed = true
        expected.isVector = false
        #expect(result.metadata == expected)
        #expect(result.decodeOptions?.thumbnailPixelSize == PixelSize(width: 20, height: 20))
        #expect(result.scale == 2)
        #expect(result.bitmap.bytes != source.bitmap.bytes)
    }

    @Test("PIPE-10 a still result of an animated picture states the file's frames and loops, and plays nothing")
    func stillResult() throws {
        let source = try Self.animated()
        let round = ImageRoundCornerTransformer(radius: 3)
        let result = try #require(source.transformed(by: round, for: Self.key))
        #expect(result.animation == nil)
        #expect(result.metadata.frameCount == 3)
        #expect(result.metadata.loopCount == 2)
    }

    @Test("A75 a transformer that does not keep the metadata sets its own")
    func ownMetadata() throws {
        let source = try Self.animated()
        let bitmap = source.bitmap
        let transformer = ScriptedTransformer(preservesImageMetadata: false) { _ in
            Image(bitmap: bitmap, metadata: ImageMetadata(format: .webP, loopCount: 7))
        }
        let result = try #require(source.transformed(by: transformer, for: Self.key))
        var expected = ImageMetadata(format: .webP, loopCount: 7)
        expected.isTransformed = true
        #expect(result.metadata == expected)
        #expect(result.decodeOptions == nil)
    }

    @Test("B25 a transformer that gives its input back leaves the shared picture alone")
    func sameObject() throws {
        let source = try Self.animated()
        for preserves in [true, false] {
            let transformer = ScriptedTransformer(preservesImageMetadata: preserves) { $0 }
            let result = try #require(source.transformed(by: transformer, for: Self.key))
            #expect(result !== source)
            #expect(result.bitmap === source.bitmap)
            #expect(result.metadata.isTransformed)
            #expect(!source.metadata.isTransformed)
            #expect(result.animation === source.animation)
        }
    }

    @Test("PIPE-10 a transformer without a result gives nothing")
    func failure() throws {
        let source = try Self.animated()
        #expect(source.transformed(by: ScriptedTransformer { _ in nil }, for: Self.key) == nil)
        #expect(source.transformed(by: ImageRoundCornerTransformer(radius: .nan), for: Self.key) == nil)
    }

    @Test("S4-22 TRF-9 a pipeline is its steps, first to last")
    func pipeline() throws {
        var random = SeededGenerator(seed: 17)
        for round in 0..<40 {
            let size = PixelSize(
                width: .random(in: 1...40, using: &random), height: .random(in: 1...40, using: &random))
            let image = Image(bitmap: try TestPicture.noise(size, seed: UInt64(round)))
            let steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.randomStep(&random) }
            let result = try #require(ImagePipelineTransformer(steps).transform(image, for: Self.key))
            var expected = image
            for step in steps { expected = try #require(step.transform(expected, for: Self.key)) }
            #expect(largestDifference(result.bitmap.bytes, expected.bitmap.bytes) == 0)
            #expect(result.pixelSize == expected.pixelSize)
        }
    }

    private static func randomStep(_ random: inout SeededGenerator) -> any ImageTransformer {
        switch Int.random(in: 0...2, using: &random) {
        case 0:
            ImageFlippingTransformer(horizontal: .random(using: &random), vertical: .random(using: &random))
        case 1:
            ImageRoundCornerTransformer(
                radius: .random(in: 0...20, using: &random), borderWidth: .random(in: 0...2, using: &random),
                borderColor: .white)
        default:
            ImageResizingTransformer(
                size: PointSize(
                    width: .random(in: 1...50, using: &random), height: .random(in: 1...50, using: &random)),
                scaleMode: ImageScaleMode.allCases.randomElement(using: &random) ?? .fill)
        }
    }

    @Test("TRF-9 each step of a pipeline keeps the metadata or not, and one that fails fails them all")
    func pipelineMetadata() throws {
        let source = try Self.animated()
        let keeping = ImageFlippingTransformer(horizontal: true, vertical: false)
        let bitmap = source.bitmap
        let forgetting = ScriptedTransformer(preservesImageMetadata: false) { _ in Image(bitmap: bitmap) }
        let kept = source.transformed(by: ImagePipelineTransformer([keeping, keeping]), for: Self.key)
        #expect(kept?.metadata.format == .gif)
        #expect(kept?.decodeOptions != nil)
        #expect(kept?.metadata.isTransformed == true)
        let forgotten = source.transformed(by: ImagePipelineTransformer([keeping, forgetting, keeping]), for: Self.key)
        #expect(forgotten?.metadata.format == .undefined)
        #expect(forgotten?.metadata.isTransformed == true)
        let failing = ImagePipelineTransformer([keeping, ScriptedTransformer { _ in nil }, keeping])
        #expect(source.transformed(by: failing, for: Self.key) == nil)
        #expect(!ImagePipelineTransformer([]).preservesImageMetadata)
    }

    @Test("every step of a pipeline gets the picture's name in the caches")
    func keys() throws {
        let listener = ScriptedTransformer { $0 }
        _ = try Self.animated().transformed(by: ImagePipelineTransformer([listener, listener]), for: Self.key)
        #expect(listener.keys == [Self.key, Self.key])
    }

    @Test("S4-23 a context takes a transformer, or the disabled one")
    func disabled() throws {
        var context = WebImageContext()
        context.transformer = .disabled
        let source = try Self.animated()
        #expect(context.transformer?.transform(source, for: Self.key) === source)
    }

    @Test("S4-24 IMG-3 the operations make exactly the pixels of the transformers with the same settings")
    func sameAsTransformers() throws {
        let source = Image(bitmap: try TestPicture.noise(PixelSize(width: 31, height: 17)), scale: 2)
        let size = PointSize(width: 6, height: 9)
        let border = RGBAColor(red: 10, green: 200, blue: 30, alpha: 128)
        let pairs: [(Image?, any ImageTransformer)] =
            ImageScaleMode.allCases.map {
                (source.resized(to: size, scaleMode: $0), ImageResizingTransformer(size: size, scaleMode: $0))
            } + [
                (
                    source.roundedCorners(radius: 3, corners: .topLeft, borderWidth: 1, borderColor: border),
                    ImageRoundCornerTransformer(radius: 3, corners: .topLeft, borderWidth: 1, borderColor: border)
                ),
                (
                    source.flipped(horizontal: true, vertical: false),
                    ImageFlippingTransformer(horizontal: true, vertical: false)
                ),
                (
                    source.flipped(horizontal: false, vertical: true),
                    ImageFlippingTransformer(horizontal: false, vertical: true)
                ),
            ]
        for (image, transformer) in pairs {
            let (image, other) = (try #require(image), try #require(transformer.transform(source, for: Self.key)))
            #expect(image.pixelSize == other.pixelSize && image.scale == 2)
            #expect(image.bitmap.bytes == other.bitmap.bytes, "\(transformer.transformerKey)")
            #expect(image.bitmap.bytes != source.bitmap.bytes)
        }
    }

    @Test("A71 IMG-3 transformers leave a photo with an orientation upright", arguments: 1...8)
    func upright(orientation: Int) throws {
        let photo = try ImageCodersManager.shared.decode(
            Fixtures.data("orientation-\(orientation).jpg"), options: ImageDecodeOptions())
        let (red, green): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255])
        let (blue, white): ([UInt8], [UInt8]) = ([0, 0, 255, 255], [255, 255, 255, 255])
        let upright = [red, green, blue, white]
        let rounding = ImageRoundCornerTransformer(radius: 2)
        let large = ImageResizingTransformer(
            size: PointSize(width: 48, height: 32), scaleMode: .fill)
        let turned = ImageFlippingTransformer(horizontal: true, vertical: true)
        for (transformer, expected) in [
            (rounding, upright), (large, upright), (turned, upright.reversed()),
            (ImagePipelineTransformer([large, rounding]), upright),
        ] as [(any ImageTransformer, [[UInt8]])] {
            let bitmap = try #require(transformer.transform(photo, for: Self.key)).bitmap
            #expect(bitmap.size.width > bitmap.size.height)
            let (near, right, bottom) = (4, bitmap.size.width - 5, bitmap.size.height - 5)
            let corners = [(near, near), (right, near), (near, bottom), (right, bottom)]
            for ((x, y), color) in zip(corners, expected) {
                #expect(largestDifference(bitmap.pixel(x, y), color) <= 25, "\(transformer.transformerKey)")
            }
        }
    }

    @Test("S4-24 the operations are there without a transformer, and forget the file as pictures made in memory do")
    func operations() throws {
        let source = try Self.animated()
        let results = [
            source.resized(to: PointSize(width: 4, height: 4), scaleMode: .aspectFit),
            source.roundedCorners(radius: 2, corners: .topLeft, borderWidth: 0.5, borderColor: .black),
            source.flipped(horizontal: true, vertical: true),
        ]
        for result in results {
            #expect(result?.metadata == ImageMetadata())
            #expect(result?.scale == 2)
            #expect(result?.animation == nil)
        }
    }
}
