// The code of Docs/Testing.md for loads, compiled and executed. A test compares the two, so neither changes alone.

import Foundation
import Testing
import WebImage
import WebImageTesting

/// A picture of one pixel.
private let gif = Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7") ?? Data()

@Suite(.timeLimit(.minutes(5))) struct TestingSnippets {
    @Test("a load that the test ends, from Docs/Testing.md")
    func aPictureArrives() async throws {
        let url = try #require(URL(string: "https://example.org/ada.gif"))
        let loader = SuspendedLoader()
        let cache = ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString)
        let manager = WebImageManager(cache: cache, loader: loader)

        let picture = Task { try await manager.image(for: url) }
        let load = try await loader.waitForLoad(of: url)
        load.progress(10, of: gif.count)
        load.finish(gif)
        #expect(try await picture.value.pixelSize == PixelSize(width: 1, height: 1))
        await cache.clear(.all)
    }

    @Test("a load that fails, and one that is cancelled, from Docs/Testing.md")
    func failures() async throws {
        let loader = SuspendedLoader()
        let manager = WebImageManager(
            cache: ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString), loader: loader)
        let url = try #require(URL(string: "https://example.org/ada.gif"))

        let failing = Task { try await manager.image(for: url) }
        let load = try await loader.waitForLoad(of: url)
        load.fail(WebImageError(.timedOut, stage: .load, kind: .transient, reason: "the test says so"))
        await #expect(throws: WebImageError.self) { try await failing.value }

        let cancelled = Task { try await manager.image(for: url) }
        let second = try await loader.waitForLoads(2)[1]
        cancelled.cancel()
        try await second.waitForCancellation()
        await #expect(throws: WebImageError.self) { try await cancelled.value }
    }

    @Test("a server with a script, from Docs/Testing.md")
    func aFlakyServer() async throws {
        let origin = try LoopbackOrigin()
        origin.serve("/ada.gif", .status(503), .picture(gif).delayed(by: .milliseconds(5)))
        let manager = WebImageManager(cache: ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString))
        manager.interceptors = [RetryInterceptor(attempts: 2, delay: { _ in .zero })]

        let image = try await manager.image(for: origin.url("/ada.gif"))
        #expect(image.pixelSize == PixelSize(width: 1, height: 1))
        #expect(origin.requestCount("/ada.gif") == 2)
        await manager.clearCache()
    }

    @Test("a race that the test places, from Docs/Testing.md")
    func aRace() async throws {
        let origin = try LoopbackOrigin()
        let gate = Gate()
        origin.serve("/ada.gif", .picture(gif).held(by: gate))
        let manager = WebImageManager(cache: ImageCache(directory: NSTemporaryDirectory() + UUID().uuidString))

        let first = Task { try await manager.image(for: origin.url("/ada.gif")) }
        try await origin.waitForRequests(1)
        let second = Task { try await manager.image(for: origin.url("/ada.gif")) }
        gate.open()
        _ = try await (first.value, second.value)
        #expect(origin.requestCount("/ada.gif") == 1)
        await manager.clearCache()
    }
}

extension WebImageManager {
    fileprivate func clearCache() async { await (cache as? ImageCache)?.clear(.all) }
}
