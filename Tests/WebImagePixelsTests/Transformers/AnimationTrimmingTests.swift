import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels

@Suite("Trimming animations")
struct AnimationTrimmingTests {
    /// Frames of 20 × 10 pixels on white, each with a black rectangle; nil is a frame that fails.
    private final class Frames: AnimatedImageProvider {
        private let parts: [CropPart?]
        private let decoded = Observed<[Int]>([])

        init(_ parts: [CropPart?]) { self.parts = parts }

        var decodes: [Int] { decoded.value }
        var frameCount: Int { parts.count }
        let loopCount = 0

        func frame(at index: Int) throws(WebImageError) -> Bitmap {
            decoded.update { $0.append(index) }
            guard let part = parts[index] else {
                throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "damaged")
            }
            let pixels = (0..<10).flatMap { y in
                (0..<20).flatMap { x -> [UInt8] in
                    part.columns.contains(x) && part.rows.contains(y) ? [0, 0, 0, 255] : [255, 255, 255, 255]
                }
            }
            return try Bitmap(size: PixelSize(width: 20, height: 10), pixels: pixels)
        }

        func duration(at index: Int) -> Duration { .milliseconds(100) }
        func preloadAllFrames() {}
    }

    private static func part(_ columns: Range<Int>, _ rows: Range<Int>) -> CropPart {
        CropPart(columns: columns, rows: rows)
    }

    private static let two = [part(2..<5, 3..<4), part(10..<12, 1..<8)]

    /// Of the still picture and of all frames, which must have one size.
    private func size(of frames: Frames, by transformer: any ImageTransformer) throws -> PixelSize? {
        let transformer = transformer.settled(on: frames, scale: 1)
        let animation = TransformedAnimation(of: frames, by: transformer, scale: 1, key: CacheKey("a"))
        let poster = transformer.transform(Image(bitmap: try frames.frame(at: 0)), for: CacheKey("a"))
        let sizes = try [#require(poster).pixelSize] + (0..<frames.frameCount).map { try animation.frame(at: $0).size }
        return Set(sizes).count == 1 ? sizes[0] : nil
    }

    @Test("all frames are trimmed to what any of them shows, and so is the still picture")
    func union() throws {
        let trim = BuiltInTransformer.trim()
        #expect(try size(of: Frames(Self.two), by: trim) == PixelSize(width: 10, height: 7))
        let frames = Frames(Self.two)
        let settled = trim.settled(on: frames, scale: 1)
        #expect(frames.decodes == [0, 1], "each is decoded once")
        let first = try #require(settled.transform(Image(bitmap: try frames.frame(at: 0)), for: CacheKey("a")))
        // The rectangle of the first frame, in columns 2 to 11 and rows 1 to 7.
        #expect(first.bitmap.pixel(0, 2) == [0, 0, 0, 255] && first.bitmap.pixel(3, 2) == [255, 255, 255, 255])
    }

    @Test("a pipeline trims what the steps before have left, and the steps after get frames of one size")
    func pipeline() throws {
        let chain = BuiltInTransformer.pipeline([
            .crop(PointRect(x: 1, y: 0, width: 19, height: 5)), .trim(), .pad(EdgeInsets(all: 1)), .trim(),
        ])
        // The last trim takes the clear margin away.
        #expect(try size(of: Frames(Self.two), by: chain) == PixelSize(width: 10, height: 4))
        let padded = BuiltInTransformer.pipeline([.trim(), .pad(EdgeInsets(all: 1))])
        #expect(try size(of: Frames(Self.two), by: padded) == PixelSize(width: 12, height: 9))
    }

    @Test("frames of one colour show nothing, a damaged one is left out, and more than all is not looked for")
    func special() throws {
        let empty = Self.part(0..<0, 0..<0)
        let trim = BuiltInTransformer.trim()
        #expect(try size(of: Frames([empty, empty]), by: trim) == PixelSize(width: 20, height: 10))
        #expect(try size(of: Frames([Self.two[0], empty]), by: trim) == PixelSize(width: 3, height: 1))
        let damaged = Frames([Self.two[0], nil, Self.two[1]])
        let settled = trim.settled(on: damaged, scale: 1)
        let frame = Image(bitmap: try damaged.frame(at: 2))
        #expect(settled.transform(frame, for: CacheKey("a"))?.pixelSize == PixelSize(width: 10, height: 7))
        // The pixel of the corner is black: the frame shows all around the rectangle.
        let whole = Frames([Self.part(0..<1, 0..<1), Self.part(3..<4, 3..<4)])
        _ = trim.settled(on: whole, scale: 1)
        #expect(whole.decodes == [0])
        let invalid = BuiltInTransformer.trim(tolerance: -1).settled(on: whole, scale: 1)
        #expect(invalid.transform(frame, for: CacheKey("a")) == nil)
    }

    @Test("a transformer that looks at single frames, and a still picture, stay as they are")
    func others() throws {
        let frames = Frames(Self.two)
        _ = BuiltInTransformer.pipeline([.flip(horizontal: true), .blur(radius: 1)]).settled(on: frames, scale: 1)
        #expect(frames.decodes.isEmpty)
        let still = BuiltInTransformer.trim().settled(on: nil, scale: 1)
        let image = Image(bitmap: try frames.frame(at: 0))
        #expect(still.transform(image, for: CacheKey("a"))?.pixelSize == PixelSize(width: 3, height: 1))
    }
}
