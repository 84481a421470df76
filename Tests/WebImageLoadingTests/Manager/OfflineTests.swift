import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// A manager that must not use the network.
@Suite("Manager: offline", .timeLimit(.minutes(5)))
struct OfflineTests {
    private let date = ManualDate()
    private let bench: ManagerBench

    init() { bench = ManagerBench(now: { [date] in date.now }) }

    /// Loads a picture of 2 × 2 pixels, so that the caches have it.
    private func fill(_ fields: [String: String] = [:]) async throws {
        let next = bench.loader.loads.count + 1
        let load = try bench.load("a.jpg", .waitStoreCache)
        let response = HTTPResponse(url: try ManagerBench.url(), statusCode: 200, headers: fields)
        try await bench.transfer(next).finish(ScriptedCoder.file(2, 2), http: response)
        _ = try await load.result()
    }

    /// Leaves the picture on the disk only.
    private func forgetMemory() { bench.cache.clear(.memory, completion: nil) }

    @Test("what a cache has is loaded, whatever the options, and nothing is asked of the server")
    func cached() async throws {
        try await fill()
        bench.manager.isOffline = true
        for options in [[], .refreshCached, .retryFailed, .progressiveLoad] as [WebImageOptions] {
            #expect(try await bench.load("a.jpg", options).result().cacheType == .memory)
            forgetMemory()
            #expect(try await bench.load("a.jpg", options).result().cacheType == .disk)
        }
        #expect(bench.loader.loads.count == 1)
    }

    @Test("all other loads fail at once, and go out again when that ends")
    func missing() async throws {
        bench.manager.isOffline = true
        #expect(bench.manager.isOffline)
        for options in [[], .fromLoaderOnly, .fromCacheOnly, .refreshCached] as [WebImageOptions] {
            let error = try await bench.load("a.jpg", options).failure()
            #expect(error.code == .notCached)
            #expect(error.kind == .policy)
            #expect(error.reason.contains("offline"))
        }
        #expect(bench.loader.loads.isEmpty)
        bench.manager.isOffline = false
        // Without retryFailed: the address is not one of those that have failed.
        let again = try await bench.load("a.jpg", sending: ScriptedCoder.file(2, 2))
        #expect(try again.get().cacheType == .noCache)
    }

    @Test("no retry is made, and no other address of the picture is asked")
    func retries() async throws {
        bench.manager.interceptors = [RetryInterceptor()]
        bench.manager.isOffline = true
        let other = try ManagerBench.url("b.jpg")
        let error = try await bench.load("a.jpg", configure: { $0.alternativeURLs = [other] }).failure()
        #expect(error.code == .allSourcesFailed)
        #expect(error.sourceFailures.map(\.code) == [.notCached, .notCached])
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("DL-24 a stale picture is shown, unless the server has forbidden that")
    func stale() async throws {
        bench.manager.httpCachePolicy = .http
        try await fill(["cache-control": "max-age=60"])
        date.advance(by: 100)
        bench.manager.isOffline = true
        for isInMemory in [true, false] {
            if !isInMemory { forgetMemory() }
            #expect(try await bench.load().result().isStale)
        }
        bench.manager.isOffline = false
        bench.cache.clear([.memory, .disk], completion: nil)
        try await fill(["cache-control": "no-cache"])
        bench.manager.isOffline = true
        for isInMemory in [true, false] {
            if !isInMemory { forgetMemory() }
            #expect(try await bench.load().failure().code == .notCached)
        }
        #expect(bench.loader.loads.count == 2)
    }

    @Test("a load that is under way goes on, and one that begins then does not join it")
    func underWay() async throws {
        let first = try bench.load()
        let transfer = try await bench.transfer()
        bench.manager.isOffline = true
        #expect(try await bench.load().failure().code == .notCached)
        transfer.finish(ScriptedCoder.file(2, 2))
        #expect(try await first.result().cacheType == .noCache)
    }

    @Test("addresses that are none of the web are loaded as ever", arguments: ["file:///a.jpg", "photos://album/1"])
    func others(address: String) async throws {
        let loader = SuspendedLoader(schemes: ["file", "photos"])
        let bench = ManagerBench(loader: loader)
        bench.manager.isOffline = true
        let load = bench.manager.observed(ImageRequest(URL(string: address)))
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
    }

    @Test("prefetching fetches nothing")
    func prefetch() async throws {
        bench.manager.isOffline = true
        let prefetcher = WebImagePrefetcher(manager: bench.manager)
        let result = await prefetcher.prefetch([ImageRequest(try ManagerBench.url())])
        #expect(result.skippedCount == 1)
        #expect(bench.loader.loads.isEmpty)
    }
}
