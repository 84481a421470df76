import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The effects of a picture's name.
@Suite("Manager: names of pictures", .timeLimit(.minutes(5)))
struct LoadNamingTests {
    private let bench = ManagerBench()

    @Test(
        "CTX-10 the scale comes from the name, unless the context has one",
        arguments: [
            ("a@2x.jpg", nil, 2), ("a%402x.jpg", nil, 2), ("a.jpg?b@3x.png", nil, 1), ("a@2x.jpg", 1, 1),
            ("a.jpg", 3, 3), ("a@2x.jpg", 0, 1), ("a@2x.jpg", .infinity, 1), ("a@2x.jpg", .nan, 1),
        ] as [(String, Double?, Double)])
    func scale(name: String, context: Double?, expected: Double) async throws {
        let result = try await bench.load(name, sending: ScriptedCoder.file(4, 4)) { $0.scaleFactor = context }
        #expect(try result.get().image.scale == expected)
    }

    @Test("CUS-1 scale and format are read from the filter's name")
    func filtered() async throws {
        let result = try await bench.load(sending: ScriptedCoder.file(4, 4)) {
            $0.cacheKeyFilter = ScriptedKeyFilter { _ in "photo@3x.gif" }
        }
        let image = try result.get().image
        #expect(image.scale == 3)
        #expect(image.decodeOptions?.formatHint == .format(.gif))
    }

    @Test("CTX-11 a thumbnail that is stretched is another picture than one that is fitted")
    func aspectRatio() throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(8)
        let fitted = bench.manager.cacheKey(for: try ManagerBench.url(), context: context)
        context.preservesAspectRatio = false
        let stretched = bench.manager.cacheKey(for: try ManagerBench.url(), context: context)
        #expect(fitted.string == "http://host/a-Thumbnail(%7B8.000000,8.000000%7D,1).jpg")
        #expect(stretched.string == "http://host/a-Thumbnail(%7B8.000000,8.000000%7D,0).jpg")
    }

    @Test("a thumbnail that covers its box is another picture than one that fits into it")
    func covering() throws {
        var context = WebImageContext()
        context.thumbnailPixelSize = .square(8)
        context.coversThumbnailBox = true
        let covering = bench.manager.cacheKey(for: try ManagerBench.url(), context: context)
        #expect(covering.string == "http://host/a-Thumbnail(%7B8.000000,8.000000%7D,cover).jpg")
        context.coversThumbnailBox = false
        let fitted = bench.manager.cacheKey(for: try ManagerBench.url(), context: context)
        #expect(fitted.string == "http://host/a-Thumbnail(%7B8.000000,8.000000%7D,1).jpg")
    }

    @Test("C5 a picture from another address is named by the requested address")
    func redirected() async throws {
        let origin = try LoopbackOrigin()
        defer { origin.stop() }
        origin.serve("/old.txt", OriginResponse(status: 302, headers: [("Location", "/new.txt")]))
        origin.serve("/new.txt", OriginResponse(body: ScriptedCoder.file(2, 2)))
        let cache = SuspendedCache()
        let manager = WebImageManager(cache: cache, loader: WebImageDownloader(), coder: ScriptedCoder())
        let result = try await manager.result(for: origin.url("/old.txt"), options: .waitStoreCache)
        #expect(result.url == origin.url("/old.txt"))
        #expect(result.http?.url == origin.url("/new.txt"))
        #expect(cache.stores == [CacheKey(origin.url("/old.txt").absoluteString)])
    }
}
