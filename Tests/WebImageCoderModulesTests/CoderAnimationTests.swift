import Foundation
import Testing
import WebImageCore
import WebImageTestSupport

@Suite("Animations in AVIF and JPEG XL")
struct CoderAnimationTests {
    private static let formats = CoderCase.writable.filter { $0.format != .heic }
    private static let durations = [50, 200, 100].map { Duration.milliseconds($0) }

    private static func file(_ format: CoderCase, loopCount: Int = 0) throws -> Data {
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let frames = try durations.enumerated().map { index, duration in
            ImageFrame(bitmap: try bitmap(index), duration: duration)
        }
        return try format.coder.encode(frames, loopCount: loopCount, to: format.format, options: options)
    }

    /// Each frame has another colour.
    private static func bitmap(_ index: Int) throws -> Bitmap {
        let size = PixelSize(width: 40, height: 30)
        let color = [UInt8(index * 100), 50, UInt8(255 - index * 100), 255]
        return try Bitmap(
            size: size, format: .rgba8Straight, pixels: (0..<size.area).flatMap { _ in color })
    }

    @Test("frames come back as they were written, in any order", arguments: formats)
    func roundTrip(format: CoderCase) throws {
        let data = try Self.file(format)
        let image = try format.coder.decode(data, options: .storedPixels)
        #expect(image.metadata.frameCount == 3)
        #expect(image.metadata.loopCount == 0)
        let animation = try #require(image.animation)
        #expect(animation.frameCount == 3)
        #expect((0..<3).map { animation.duration(at: $0) } == Self.durations)
        #expect(animation.animatedImageData == data)
        for index in [0, 1, 2, 1, 0, 2, 2] {
            #expect(try animation.frame(at: index).bytes == Self.bitmap(index).bytes, "frame \(index)")
        }
        var options = ImageEncodeOptions.best
        for box in [image.pixelSize, PixelSize(width: 4000, height: 4000)] {
            options.maxPixelSize = box
            #expect(try format.coder.encode(image, to: format.format, options: options) == data)
        }
        #expect(throws: WebImageError.self) { try animation.frame(at: 3) }
        #expect(image.bitmap.bytes == (try Self.bitmap(0).bytes))
    }

    @Test(
        "frames are decoded from the picture's bytes, and from the file itself where libavif reads it",
        .needsEncoder(of: .avif))
    func sameBytes() throws {
        let format = try #require(CoderCase.writable(.avif))
        var data = try Self.file(format)
        let movie = try #require(data.range(of: Data("moov".utf8)))
        let handler = try #require(data.range(of: Data("hdlr".utf8), in: movie.upperBound..<data.endIndex))
        // A track with another handler is hidden in a repaired file; libavif plays it.
        data.replaceSubrange(handler.upperBound + 8..<handler.upperBound + 12, with: Data("othr".utf8))
        let image = try format.coder.decode(data, options: .storedPixels)
        let animation = try #require(image.animation)
        for index in 0..<3 { #expect(try animation.frame(at: index).bytes == Self.bitmap(index).bytes) }
    }

    @Test("S3-4 a picture is written with all of its frames, or with the first on request", arguments: formats)
    func wholePictures(format: CoderCase) throws {
        let original = try format.coder.decode(Self.file(format), options: .storedPixels)
        let (file, again) = (
            try Self.file(format),
            try format.coder.encode(original, to: format.format, options: ImageEncodeOptions.best)
        )
        // libavif writes the time of day, so that two files seldom have the same bytes.
        #expect(format.format == .avif ? again.count == file.count : again == file)
        let animation = try #require(original.animation)
        let image = try Image(bitmap: animation.frame(at: 0), animation: animation)
        var options = ImageEncodeOptions.best
        options.isLossless = true
        let written = try format.coder.encode(image, to: format.format, options: options)
        let copy = try #require(try format.coder.decode(written, options: .storedPixels).animation)
        #expect((0..<copy.frameCount).map { copy.duration(at: $0) } == Self.durations)
        for index in 0..<3 { #expect(try copy.frame(at: index).bytes == Self.bitmap(index).bytes) }
        options.encodesFirstFrameOnly = true
        let still = try format.coder.encode(original, to: format.format, options: options)
        #expect(try format.coder.decode(still, options: .storedPixels).animation == nil)
    }

    @Test("EOP-6 an animation above its byte limit is written again", arguments: formats)
    func fileSizes(format: CoderCase) throws {
        let data = try Self.waves(format)
        let image = try format.coder.decode(data, options: .storedPixels)
        var options = ImageEncodeOptions.best
        options.maxFileSize = data.count
        #expect(try format.coder.encode(image, to: format.format, options: options) == data)
        options.maxFileSize = data.count / 2
        let smaller = try format.coder.encode(image, to: format.format, options: options)
        #expect(smaller.count <= data.count / 2)
        #expect(try format.coder.properties(of: smaller, isComplete: true)?.frameCount == 2)
    }

    private static func waves(_ format: CoderCase) throws -> Data {
        let frames = try (0..<2).map { _ in
            try ImageFrame(bitmap: SmoothPicture.make(width: 128, height: 96), duration: .milliseconds(100))
        }
        return try format.coder.encode(frames, loopCount: 0, to: format.format, options: ImageEncodeOptions.best)
    }

    @Test("headers give the frames", arguments: formats)
    func properties(format: CoderCase) throws {
        let properties = try #require(try format.coder.properties(of: Self.file(format), isComplete: true))
        #expect(properties.frameCount == 3)
        #expect(properties.frameDurations == [50, 200, 100].map { .milliseconds($0) })
    }

    @Test("JPEG XL keeps the number of plays", .needsEncoder(of: .jpegXL), arguments: [0, 1, 5])
    func loops(count: Int) throws {
        let format = try #require(CoderCase.writable(.jpegXL))
        let image = try format.coder.decode(Self.file(format, loopCount: count), options: ImageDecodeOptions())
        #expect(image.animation?.loopCount == count)
    }

    @Test("a request for a still picture gives no animation", arguments: formats)
    func firstFrame(format: CoderCase) throws {
        var options = ImageDecodeOptions.storedPixels
        options.decodesFirstFrameOnly = true
        let image = try format.coder.decode(Self.file(format), options: options)
        #expect(image.animation == nil)
        #expect(image.metadata.frameCount == 1)
    }

    @Test("frames have the size of the requested thumbnail", arguments: formats)
    func thumbnails(format: CoderCase) throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 20, height: 20)
        let animation = try format.coder.decode(Self.file(format), options: options).animation
        #expect(try animation?.frame(at: 2).size == PixelSize(width: 20, height: 15))
    }

    @Test("too many frames are refused", arguments: formats)
    func frameLimit(format: CoderCase) throws {
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = 2
        let error = #expect(throws: WebImageError.self) {
            try format.coder.decode(Self.file(format), options: options)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.reason.contains("maximumFrameCount") == true)
    }

    @Test("of a JPEG XL file with more frames than allowed, the first one alone is shown", .needsEncoder(of: .jpegXL))
    func firstOfMany() throws {
        let format = try #require(CoderCase.writable(.jpegXL))
        var options = ImageDecodeOptions.storedPixels
        options.limits.maximumFrameCount = 2
        options.decodesFirstFrameOnly = true
        let image = try format.coder.decode(Self.file(format), options: options)
        #expect(image.metadata.frameCount == 1 && image.animation == nil)
        #expect(image.bitmap.bytes == (try Self.bitmap(0).bytes))
        let cut = #expect(throws: WebImageError.self) {
            try format.coder.decode(Self.file(format).prefix(Self.file(format).count / 2), options: options)
        }
        #expect(cut?.code == .truncatedImageData)
    }

    @Test("frames that are too fast for readers are left out, and their time is kept", arguments: formats)
    func fast(format: CoderCase) throws {
        let frames = try (0..<24).map { ImageFrame(bitmap: try Self.bitmap($0 % 3), duration: .seconds(1) / 120) }
        let data = try format.coder.encode(frames, loopCount: 0, to: format.format, options: ImageEncodeOptions.best)
        let animation = try #require(try format.coder.decode(data, options: .storedPixels).animation)
        let played = (0..<animation.frameCount).map { animation.duration(at: $0) }
        #expect(played.allSatisfy { $0 >= .milliseconds(11) && $0 < .milliseconds(40) })
        #expect(played.reduce(.zero, +) == .milliseconds(200))
    }

    @Test("frames of different sizes, and an empty list, are refused", arguments: formats)
    func badFrames(format: CoderCase) throws {
        let frames = try [
            ImageFrame(bitmap: Self.bitmap(0), duration: .milliseconds(1000)),
            ImageFrame(bitmap: SmoothPicture.make(width: 3, height: 3), duration: .milliseconds(1000)),
        ]
        for frames in [frames, []] {
            let error = #expect(throws: WebImageError.self) {
                try format.coder.encode(frames, loopCount: 0, to: format.format, options: ImageEncodeOptions.best)
            }
            #expect(error?.code == .encodeFailed)
        }
    }

    @Test("damaged animations play their intact frames, and the process lives", arguments: formats)
    func mutants(format: CoderCase) throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 18
        options.limits.maximumFrameCount = 50
        let data = try Self.file(format)
        var mutator = FileMutator(seed: 5)
        for _ in 0..<500 {
            guard let coder = format.coder as? any AnimatedImageCoder,
                let animation = try? coder.makeAnimation(of: mutator.mutate(data), options: options)
            else { continue }
            for index in [0, 2, 1] { _ = try? animation.frame(at: index) }
        }
    }
}
