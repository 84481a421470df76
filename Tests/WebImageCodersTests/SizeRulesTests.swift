import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels

@testable import WebImageTestDoubles

@Suite("Sizes of pictures")
struct SizeRulesTests {
    private static func box(_ width: Int, _ height: Int, stretches: Bool = false) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: width, height: height)
        options.preservesAspectRatio = !stretches
        return options
    }

    @Test(
        "HLP-7 a picture of 100×200 in boxes",
        arguments: [
            (150, 150, false, "75×150"), (300, 300, false, "100×200"), (150, 150, true, "100×150"),
            (300, 300, true, "100×200"), (0, 0, false, "100×200"), (0, 150, false, "100×200"),
            (150, 0, true, "100×200"), (-5, 150, false, "100×200"),
        ])
    func table(width: Int, height: Int, stretches: Bool, expected: String) {
        let options = Self.box(width, height, stretches: stretches)
        #expect(options.outputSize(for: PixelSize(width: 100, height: 200)).description == expected)
    }

    @Test("HLP-7 a picture without a side keeps its size", arguments: [(0, 0), (0, 20), (20, 0)])
    func empty(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        #expect(Self.box(10, 10).outputSize(for: size) == size)
        #expect(Self.box(10, 10, stretches: true).outputSize(for: size) == size)
    }

    @Test(
        "HLP-8 a limit leaves a picture without a side alone, and a pixel is the least", arguments: [1, 4, 400])
    func limits(byteCount: Int) {
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = byteCount
        let nothing = PixelSize(width: 0, height: 0)
        #expect(options.outputSize(for: nothing) == nothing)
        let least = options.outputSize(for: PixelSize(width: 5000, height: 4000), frameCount: 1000)
        #expect(least.description == "1×1")
    }

    @Test("HLP-6 a copy of the same size is the same bitmap, and an empty size gives none")
    func copies() throws {
        let image = try ImageCodersManager.shared.decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
        for mode in [ImageScaleMode.fill, .aspectFill, .aspectFit] {
            let same = try #require(image.resized(to: PointSize(width: 200, height: 150), scaleMode: mode))
            #expect(same.bitmap === image.bitmap)
            for size in [
                PointSize(width: 0, height: 10), PointSize(width: 10, height: 0), PointSize(width: -1, height: 5),
            ] {
                #expect(image.resized(to: size, scaleMode: mode) == nil)
            }
        }
    }

    @Test(
        "HLP-4 whether a picture has transparency",
        arguments: [
            ("photo.jpg", false), ("gray.jpg", false), ("cmyk.jpg", false), ("photo-small.png", false),
            ("palette.png", false), ("translucent.png", true), ("lossy.webp", false), ("lossy-alpha.webp", true),
            ("lossless.webp", true), ("palette.gif", false),
        ])
    func alpha(name: String, hasAlpha: Bool) throws {
        for format in [PixelFormat.rgba8Premultiplied, .rgba8Straight, .rgba16Premultiplied] {
            var options = ImageDecodeOptions()
            options.pixelFormat = format
            let image = try ImageCodersManager.shared.decode(Fixtures.data(name), options: options)
            #expect(image.bitmap.isOpaque == !hasAlpha)
            #expect(!image.isHighDynamicRange)
        }
    }

    @Test("MET-5 a picture states whether it is a part, a thumbnail or transformed, and how it was decoded")
    func metadata() throws {
        let data = try Fixtures.data("photo.jpg")
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        #expect(!whole.metadata.isThumbnail && !whole.metadata.isIncremental && !whole.metadata.isTransformed)
        #expect(whole.decodeOptions == ImageDecodeOptions() && !whole.isHighDynamicRange)
        let options = Self.box(50, 50)
        let small = try ImageCodersManager.shared.decode(data, options: options)
        #expect(small.metadata.isThumbnail && small.decodeOptions == options)
        #expect(small.metadata.originalPixelSize == PixelSize(width: 200, height: 150))
        let part = try #require(try ProgressiveJPEGTests.partials(of: data, chunkSize: 2000).first)
        #expect(part.metadata.isIncremental)
    }
}
