import FoundationEssentials
import Synchronization
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Decode and transform as one road", .timeLimit(.minutes(5)))
struct DecodeRegionTests {
    private static let size = PixelSize(width: 1310, height: 905)

    private static func file(_ format: ImageFormat, isOpaque: Bool = true) throws -> Data {
        let noise = try TestPicture.noise(
            PixelSize(width: 330, height: 230), format: .rgba8Straight, isOpaque: isOpaque)
        let picture = Image(bitmap: try noise.resized(to: size, filter: .bilinear))
        return try ImageCodersManager.shared.encode(picture, to: format, options: ImageEncodeOptions())
    }

    @Test(
        "S4-20 a decode of a region has the pixels of the operation on the whole picture",
        arguments: [ImageFormat.jpeg, .png, .webP, .bmp], [true, false])
    func likeWhole(format: ImageFormat, isOpaque: Bool) throws {
        let data = try Self.file(format, isOpaque: isOpaque || format == .jpeg || format == .bmp)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        for transformer in [
            BuiltInTransformer.resize(width: 300, height: 200, scaleMode: .fill),
            .resize(width: 90, height: 200, scaleMode: .aspectFill, filter: .box),
            .resize(width: 333, height: 100, scaleMode: .aspectFit, filter: .mitchell),
            .crop(PointRect(x: 100, y: 300, width: 400, height: 77)), .crop(aspectRatio: 3),
            .pipeline([.crop(PointRect(x: 700, y: 800, width: 9999, height: 9999)), .blur(radius: 2)]),
        ] {
            let region = try #require(transformer.region(of: Self.size, scale: 1))
            var options = ImageDecodeOptions()
            options.region = region
            let part = try ImageCodersManager.shared.decode(data, options: options)
            #expect(part.pixelSize == region.size)
            let expected = try #require(transformer.transform(whole, for: CacheKey("a")))
            let result = try #require(transformer.afterRegion.transform(part, for: CacheKey("a")))
            #expect(result.pixelSize == expected.pixelSize)
            #expect(largestDifference(result.bitmap.bytes, expected.bitmap.bytes) <= 1, "\(transformer.transformerKey)")
            #expect(result.bitmap.isOpaque == expected.bitmap.isOpaque)
        }
    }

    @Test("TRF-3 a region is one of the picture as it is seen, in all eight orientations", arguments: 1...8)
    func orientations(number: Int) throws {
        let data = try Self.fixture("orientation-\(number).jpg")
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        let size = whole.pixelSize
        var options = ImageDecodeOptions()
        options.region = .cropped(columns: 3..<size.width / 2, rows: 5..<size.height - 9)
        let part = try ImageCodersManager.shared.decode(data, options: options)
        let expected = try whole.bitmap.cropped(columns: 3..<size.width / 2, rows: 5..<size.height - 9)
        #expect(part.pixelSize == expected.size)
        #expect(part.bitmap.bytes == expected.bytes)
    }

    @Test(
        "a picture with a profile and one of CMYK have the same colours in a region",
        arguments: ["display-p3.jpg", "cmyk.jpg", "translucent.png", "gray-profile.jpg"])
    func colours(name: String) throws {
        let data = try Self.fixture(name)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        let target = PixelSize(width: whole.pixelSize.width / 3, height: whole.pixelSize.height / 2)
        var options = ImageDecodeOptions()
        options.region = .resized(target, .lanczos3)
        let part = try ImageCodersManager.shared.decode(data, options: options)
        #expect(largestDifference(part.bitmap.bytes, try whole.bitmap.resized(to: target).bytes) <= 1)
    }

    @Test("S4-20 a load with a transformer of a large picture delivers what the transformer makes of the whole picture")
    func load() async throws {
        let data = try Self.file(.jpeg)
        let whole = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
        let regions = SeenRegions()
        for (transformer, isRegion) in [
            (BuiltInTransformer.crop(PointRect(x: 10, y: 20, width: 300, height: 200)), true),
            (.pipeline([.resize(width: 200, height: 100), .flip(horizontal: true)]), true),
            (.resize(width: 2000, height: 100, scaleMode: .fill), false),
            (.resize(width: 200, height: 100, inLinearLight: true), false), (.flip(horizontal: true), false),
        ] {
            let context = WebImageContext {
                $0.transformer = transformer
                $0.coder = RecordingCoder(regions: regions)
                $0.loader = ClosureImageLoader { _ in data }
            }
            let manager = WebImageManager(cache: NoCache())
            let url = try #require(URL(string: "https://host/a.jpg"))
            let result = try await manager.image(for: ImageRequest(url, context: context))
            let expected = try #require(whole.transformed(by: transformer, for: CacheKey("a")))
            #expect(largestDifference(result.bitmap.bytes, expected.bitmap.bytes) <= 1)
            #expect(result.metadata.isTransformed && !result.metadata.isThumbnail)
            #expect(result.metadata.originalPixelSize == Self.size)
            #expect((regions.last != nil) == isRegion, "\(transformer.transformerKey)")
        }
    }

    @Test("straight pixels are decoded straight to a region, too, except a reduction of what may be translucent")
    func straight() throws {
        let data = try Self.file(.jpeg)
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba8Straight
        let resize = BuiltInTransformer.resize(width: 300, height: 200, scaleMode: .fill)
        let crop = BuiltInTransformer.crop(PointRect(x: 10, y: 10, width: 99, height: 70))
        let whole = try ImageCodersManager.shared.decode(data, options: options)
        let properties = try #require(try ImageCodersManager.shared.properties(of: data, isComplete: true))
        for transformer in [resize, crop] {
            let beginning = try #require(
                TransformBeginning(of: transformer, on: properties, by: JPEGCoder.jpeg, options: options))
            options.region = beginning.region
            let part = try ImageCodersManager.shared.decode(data, options: options)
            #expect(beginning.isMade(of: part) && part.bitmap.format == .rgba8Straight)
            let expected = try #require(transformer.transform(whole, for: CacheKey("a")))
            #expect(largestDifference(part.bitmap.bytes, expected.bitmap.bytes) <= 1)
        }
        var translucent = properties
        translucent.hasAlpha = true
        #expect(TransformBeginning(of: resize, on: translucent, by: JPEGCoder.jpeg, options: options) == nil)
        #expect(TransformBeginning(of: crop, on: translucent, by: JPEGCoder.jpeg, options: options) != nil)
    }

    @Test("a file that ends early is refused, also where the region lies before its end")
    func truncated() throws {
        let data = try Self.file(.jpeg)
        var options = ImageDecodeOptions()
        options.region = .cropped(columns: 0..<50, rows: 0..<50)
        let error = #expect(throws: WebImageError.self) {
            try ImageCodersManager.shared.decode(data.prefix(data.count / 2), options: options)
        }
        #expect(error?.code == .truncatedImageData)
    }

    @Test("a coder that does not decode rows is not asked for a part")
    func wholePictures() async throws {
        let data = try Self.file(.jpeg)
        for decodesRows in [true, false] {
            let regions = SeenRegions()
            let context = WebImageContext {
                $0.transformer = .crop(PointRect(x: 10, y: 20, width: 300, height: 200))
                $0.coder = RecordingCoder(regions: regions, decodesRows: decodesRows)
                $0.loader = ClosureImageLoader { _ in data }
            }
            let url = try #require(URL(string: "https://host/a.jpg"))
            let result = try await WebImageManager(cache: NoCache()).image(for: ImageRequest(url, context: context))
            #expect(result.pixelSize == PixelSize(width: 300, height: 200))
            #expect((regions.last != nil) == decodesRows)
        }
    }

    @Test("a transformer that gives nothing after a region leaves the whole picture")
    func failure() async throws {
        let data = try Self.file(.png)
        let context = WebImageContext {
            $0.transformer = .pipeline([
                .crop(PointRect(x: 0, y: 0, width: 10, height: 10)), .custom(identity: "none") { _ in nil },
            ])
            $0.loader = ClosureImageLoader { _ in data }
        }
        let manager = WebImageManager(cache: NoCache())
        let result = try await manager.image(
            for: ImageRequest(URL(string: "https://host/a.png"), context: context))
        #expect(result.pixelSize == Self.size)
        #expect(!result.metadata.isTransformed)
    }

    @Test("where a transformer gives nothing after a region and the whole picture does not decode, the load fails")
    func failureOfBoth() async throws {
        let data = try Self.file(.png)
        let regions = SeenRegions()
        let context = WebImageContext {
            $0.transformer = .pipeline([
                .crop(PointRect(x: 0, y: 0, width: 10, height: 10)), .custom(identity: "none") { _ in nil },
            ])
            $0.coder = RecordingCoder(regions: regions, decodesWhole: false)
            $0.loader = ClosureImageLoader { _ in data }
        }
        let manager = WebImageManager(cache: NoCache())
        let url = try #require(URL(string: "https://host/a.png"))
        let error = await #expect(throws: WebImageError.self) {
            try await manager.image(for: ImageRequest(url, context: context))
        }
        #expect(error?.code == .badImageData && error?.url == url)
        #expect(regions.last == nil, "the whole picture was tried last")
    }

    private static func fixture(_ name: String) throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/\(name)"))
    }
}

private final class SeenRegions: Sendable {
    private let state = Mutex<DecodeRegion?>(nil)

    var last: DecodeRegion? { state.withLock { $0 } }

    func note(_ region: DecodeRegion?) { state.withLock { $0 = region } }
}

/// The built-in coders, which note the region of each decode.
private struct RecordingCoder: ImageCoder {
    let regions: SeenRegions
    var decodesWhole = true
    var decodesRows = true

    func decodesRows(of format: ImageFormat) -> Bool {
        decodesRows && ImageCodersManager.shared.decodesRows(of: format)
    }

    func canDecode(_ data: Data) -> Bool { ImageCodersManager.shared.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try ImageCodersManager.shared.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        regions.note(options.region)
        guard decodesWhole || options.region != nil else {
            throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "damaged")
        }
        return try ImageCodersManager.shared.decode(data, options: options)
    }
}

private struct NoCache: EmptyCache {}
