import Testing
import WebImageCore

@testable import WebImagePixels
@testable import WebImageTestDoubles

@Suite("Sizes before any work")
struct SizeForecastTests {
    private static let size = PixelSize(width: 31, height: 17)

    @Test(
        "a transformer tells the size of its result as it will be",
        arguments: [
            BuiltInTransformer.resize(width: 9, height: 20, scaleMode: .aspectFit), .flip(vertical: true),
            .crop(PointRect(x: 3.2, y: 4, width: 99, height: 5)), .crop(aspectRatio: 3), .rotate(by: 0.3),
            .rotate(by: .pi / 2), .rotate(by: 1, fitsSize: false), .pad(EdgeInsets(top: 1, left: 2.4, bottom: 3)),
            .circle(), .roundedCorners(radius: 4), .blur(radius: 2), .sharpen(), .filter(.sepia()), .tint(.black),
            .pipeline([.crop(aspectRatio: 1), .rotate(by: 0.5), .resize(width: 5, height: 50), .circle()]),
            .disabled,
        ], [1.0, 2])
    func truth(transformer: BuiltInTransformer, scale: Double) throws {
        let image = Image(bitmap: try TestPicture.smooth(Self.size), scale: scale)
        let result = try #require(transformer.transform(image, for: CacheKey("a")))
        #expect(transformer.forecastedSize(for: Self.size, scale: scale) == .size(result.pixelSize))
    }

    @Test("what is impossible is told with its reason, and what depends on pixels or code is unknown")
    func impossible() throws {
        let cases: [(BuiltInTransformer, SizeForecast)] = [
            (.crop(PointRect(x: 31, y: 0, width: 5, height: 5)), .impossible(.nothingLeft)),
            (.resize(width: 65_000, height: 65_000), .impossible(.tooLarge)),
            (.resize(width: -1, height: 5), .impossible(.invalidNumber)),
            (.pad(EdgeInsets(all: 60_000)), .impossible(.tooLarge)),
            (.pad(EdgeInsets(all: -1)), .impossible(.invalidNumber)),
            (.rotate(by: .nan), .impossible(.invalidNumber)), (.trim(), .unknown),
            (.custom(identity: "a") { $0 }, .unknown),
            (.pipeline([.trim(), .crop(PointRect(x: 99, y: 0, width: 1, height: 1))]), .unknown),
            (.pipeline([.pad(EdgeInsets(all: 9)), .resize(width: 0, height: 0)]), .impossible(.invalidNumber)),
        ]
        for (transformer, expected) in cases {
            #expect(transformer.forecastedSize(for: Self.size, scale: 1) == expected, "\(transformer.transformerKey)")
        }
    }

    @Test("a pipeline whose later step is impossible does no earlier one")
    func pipeline() throws {
        let first = BuiltInTransformer.resize(width: 20, height: 20)
        let watched = WatchedTransformer()
        let chain = ImagePipelineTransformer([first, watched, BuiltInTransformer.resize(width: 0, height: 1)])
        let image = Image(bitmap: try TestPicture.smooth(Self.size))
        #expect(chain.transform(image, for: CacheKey("a")) == nil)
        #expect(watched.transformer.count == 0)
    }
}

/// Keeps the size, and counts.
private struct WatchedTransformer: LibraryTransformer {
    let transformer = ScriptedTransformer { $0 }
    var transformerKey: String { transformer.transformerKey }
    func transform(_ image: Image, for key: CacheKey) -> Image? { transformer.transform(image, for: key) }
}
