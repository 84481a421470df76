import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: alternative addresses", .timeLimit(.minutes(5)))
struct AlternativeSourcesTests {
    private let bench = ManagerBench()

    /// A load of `a.jpg`, or else `b.jpg`, or else `c.jpg`.
    private func load(_ options: WebImageOptions = []) throws -> ManagedLoad {
        let alternatives = [try ManagerBench.url("b.jpg"), try ManagerBench.url("c.jpg")]
        return try bench.load("a.jpg", options) { $0.alternativeURLs = alternatives }
    }

    private static func failure(
        _ kind: WebImageError.Kind, _ code: WebImageError.Code = .invalidDownloadStatusCode
    ) -> WebImageError {
        WebImageError(code, stage: .load, kind: kind, reason: "no")
    }

    private var loadedNames: [String] { bench.loader.loads.map(\.request.url.lastPathComponent) }

    @Test("the next address is loaded when one has failed, for whatever reason, and is stored under its own key")
    func inOrder() async throws {
        let load = try load()
        try await bench.transfer(1).fail(Self.failure(.permanent))
        try await bench.transfer(2).finish(ScriptedCoder.file(2, 2))
        let result = try await load.result()
        #expect(result.image.pixelSize == .square(2))
        #expect(result.url == (try ManagerBench.url("a.jpg")))
        #expect(loadedNames == ["a.jpg", "b.jpg"])
        #expect(bench.cache.memory[ManagerBench.key("b.jpg")] != nil)
        #expect(bench.cache.memory[ManagerBench.key("a.jpg")] == nil)
    }

    @Test("a picture in memory is delivered at once, whichever address it is of")
    func inMemory() async throws {
        bench.cache.storeInMemory(try .plain(3, 3), for: ManagerBench.key("c.jpg"))
        let load = try load()
        #expect(load.story.endings.count == 1)
        #expect(try await load.result().cacheType == .memory)
        #expect(bench.cache.queries.isEmpty)
        #expect(loadedNames.isEmpty)
    }

    @Test("a picture on disk comes before all that must be loaded")
    func onDisk() async throws {
        bench.cache.put(ScriptedCoder.file(4, 4), for: ManagerBench.key("b.jpg"))
        let result = try await load().result()
        #expect(result.image.pixelSize == .square(4))
        #expect(loadedNames.isEmpty)
    }

    @Test("a picture on disk is refreshed from its own address")
    func refreshed() async throws {
        bench.cache.put(ScriptedCoder.file(4, 4), for: ManagerBench.key("b.jpg"))
        let load = try load(.refreshCached)
        try await bench.transfer(1).finish(ScriptedCoder.file(5, 5))
        #expect(try await load.result().image.pixelSize == .square(5))
        #expect(loadedNames == ["b.jpg"])
    }

    @Test("loads that ask no cache take the addresses in order")
    func fromLoaderOnly() async throws {
        bench.cache.put(ScriptedCoder.file(4, 4), for: ManagerBench.key("b.jpg"))
        let load = try load(.fromLoaderOnly)
        try await bench.transfer(1).finish(ScriptedCoder.file(1, 1))
        #expect(try await load.result().image.pixelSize == .square(1))
        #expect(loadedNames == ["a.jpg"])
    }

    @Test("when all have failed, the error has every failure, and is transient if one of them is")
    func allFail() async throws {
        let load = try load()
        try await bench.transfer(1).fail(Self.failure(.permanent, .badImageData))
        try await bench.transfer(2).fail(Self.failure(.transient, .timedOut))
        try await bench.transfer(3).fail(Self.failure(.permanent))
        let error = try await load.failure()
        #expect(error.code == .allSourcesFailed)
        #expect(error.kind == .transient)
        #expect(error.sourceFailures.map(\.code) == [.badImageData, .timedOut, .invalidDownloadStatusCode])
        #expect(error.url == (try ManagerBench.url("a.jpg")))
        for name in ["a.jpg", "b.jpg", "c.jpg"] { #expect(error.description.contains("http://host/\(name): no")) }
        // The next load passes over those that failed for good.
        let again = try self.load()
        try await bench.transfer(4).finish(ScriptedCoder.file(6, 6))
        _ = try await again.result()
        #expect(loadedNames.last == "b.jpg")
    }

    @Test("loads of the cache only ask for all addresses, and load none")
    func fromCacheOnly() async throws {
        let error = try await load(.fromCacheOnly).failure()
        #expect(error.sourceFailures.map(\.code) == [.notCached, .notCached, .notCached])
        #expect(loadedNames.isEmpty)
    }

    @Test("a cancelled load tries no further address")
    func cancelled() async throws {
        let load = try load()
        let transfer = try await bench.transfer(1)
        load.cancel()
        #expect(try await load.failure().isCancelled)
        try await transfer.waitForCancellation()
        #expect(loadedNames == ["a.jpg"])
    }

    @Test("an address that is missing is a failure like others")
    func noAddress() async throws {
        var context = WebImageContext()
        context.alternativeURLs = [try ManagerBench.url("b.jpg")]
        let load = bench.manager.observed(ImageRequest(nil, context: context))
        try await bench.transfer(1).finish(ScriptedCoder.file(2, 2))
        #expect(try await load.result().image.pixelSize == .square(2))
    }

    @Test("an explanation names the other addresses")
    func explained() throws {
        var context = WebImageContext()
        context.alternativeURLs = [try ManagerBench.url("b.jpg")]
        let explanation = bench.manager.explain(ImageRequest(try ManagerBench.url(), context: context))
        #expect(explanation.description.contains("http://host/b.jpg, sooner if it is in a cache"))
    }
}
