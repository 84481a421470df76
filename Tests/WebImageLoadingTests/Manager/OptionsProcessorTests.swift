import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: options processor", .timeLimit(.minutes(5)))
struct OptionsProcessorTests {
    private let bench = ManagerBench()

    @Test("OPR-1 PIPE-2 it sees the manager's additions, may drop them, and runs once for each load")
    func seesAndDrops() async throws {
        bench.manager.transformer = ScriptedTransformer("Manager")
        bench.manager.cacheKeyFilter = ScriptedKeyFilter()
        bench.manager.cacheSerializer = ScriptedSerializer(nil)
        let processor = ScriptedProcessor { request in
            var request = request
            request.context.transformer = nil
            return request
        }
        bench.manager.optionsProcessor = processor
        let result = try await bench.load("x/a.jpg", sending: ScriptedCoder.file(2, 2)).get()
        #expect(result.image.pixelSize == .square(2))
        #expect(processor.requests.count == 1)
        #expect(processor.requests[0].context.transformer?.transformerKey == "Manager")
        #expect(processor.requests[0].context.cacheKeyFilter is ScriptedKeyFilter)
        #expect(processor.requests[0].context.cacheSerializer is ScriptedSerializer)
        #expect(bench.cache.memory.keys.map(\.string) == ["a.jpg"])
    }

    @Test("A43 PIPE-2 S3-35 it may allow another try before the list of failed URLs is asked")
    func retries() async throws {
        _ = try await bench.load(sending: Data("no".utf8))
        let processor = ScriptedProcessor { request in
            guard request.url?.lastPathComponent == "a.jpg" else { return nil }
            var request = request
            request.options.insert(.retryFailed)
            return request
        }
        bench.manager.optionsProcessor = processor
        #expect(try await bench.load(sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("OPR-1 nil leaves the request as it is")
    func abstains() throws {
        let processor = ScriptedProcessor { _ in nil }
        bench.manager.optionsProcessor = processor
        _ = try bench.load("a.jpg", .lowPriority)
        #expect(bench.loader.loads.first?.request.priority == .low)
        #expect(processor.requests.count == 1)
    }

    @Test("OPR-1 S3-36 its result counts for all that follows: address, tiers, queue, scale")
    func changesEverything() async throws {
        let other = try ManagerBench.url("other.jpg")
        let held = HeldCallbacks()
        bench.manager.optionsProcessor = ScriptedProcessor { request in
            var request = request
            request.url = other
            request.options = .fromLoaderOnly
            request.context.scaleFactor = 3
            request.context.callbackQueue = held.queue
            return request
        }
        let load = try bench.load()
        try await bench.loader.waitForLoad(of: other).finish(ScriptedCoder.file(1, 1))
        try await held.waitForCallbacks(1)
        #expect(load.words.isEmpty)
        held.runAll()
        let result = try await load.result()
        #expect(result.url == (try ManagerBench.url()))
        #expect(result.image.scale == 3)
        #expect(bench.cache.queries.isEmpty)
    }

    @Test("OPR-1 it runs before the interceptors, and they see its result")
    func beforeInterceptors() async throws {
        bench.manager.optionsProcessor = ScriptedProcessor { request in
            var request = request
            request.options.insert(.highPriority)
            return request
        }
        let interceptor = ScriptedInterceptor { .proceed($0) }
        bench.manager.interceptors = [interceptor]
        _ = try bench.load()
        #expect(interceptor.requests.map(\.options) == [.highPriority])
    }
}
