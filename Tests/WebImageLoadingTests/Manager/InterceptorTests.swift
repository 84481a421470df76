import FoundationEssentials
import Testing
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Manager: interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    private let bench = ManagerBench()

    private static func failure(_ code: WebImageError.Code) -> WebImageError {
        WebImageError(code, stage: .load, kind: code == .badImageData ? .permanent : .transient, reason: "no")
    }

    @Test("interceptors run in order, once, and each sees the changes of those before it")
    func order() async throws {
        let other = try ManagerBench.url("other.jpg")
        let first = ScriptedInterceptor { request in
            var request = request
            request.url = other
            return .proceed(request)
        }
        let second = ScriptedInterceptor { .proceed($0) }
        bench.manager.interceptors = [first, second]
        let load = try bench.load()
        try await bench.transfer().finish(ScriptedCoder.file(1, 1))
        _ = try await load.result()
        #expect(first.requests.map(\.url) == [try ManagerBench.url()])
        #expect(second.requests.map(\.url) == [other])
        #expect(bench.loader.loads.map(\.request.url) == [other])
    }

    @Test("queries of memory and of the key include the interceptors' changes of the request")
    func questions() throws {
        let (other, answered) = (try ManagerBench.url("other.jpg"), try ManagerBench.url("answered.jpg"))
        let image = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]))
        bench.manager.interceptors = [
            ScriptedInterceptor { request in
                if request.url == answered { return .finish(.failure(Self.failure(.badImageData))) }
                var request = request
                request.url = other
                return .proceed(request)
            },
            ScriptedInterceptor { _ in .around { chain throws(WebImageError) in try await chain.proceed() } },
        ]
        bench.cache.storeInMemory(image, for: bench.manager.cacheKey(for: other))
        #expect(bench.manager.imageFromMemory(for: try ManagerBench.url()) === image)
        #expect(
            bench.manager.cacheKey(for: try ManagerBench.url(), context: WebImageContext()).string
                == other.absoluteString)
        #expect(bench.manager.imageFromMemory(for: answered) == nil)
        #expect(bench.manager.keeps(ImageRequest(try ManagerBench.url())))
    }

    @Test("an interceptor may set options, header fields and request modifiers for all loads")
    func modifies() async throws {
        bench.manager.interceptors = [
            ScriptedInterceptor { request in
                var request = request
                request.options.insert(.handleCookies)
                request.context.httpHeaders["Authorization"] = "Bearer 1"
                request.context.downloadRequestModifier = WebImageDownloaderRequestModifier(method: "POST")
                return .proceed(request)
            }
        ]
        _ = try bench.load()
        let asked = try await bench.transfer().request
        #expect(asked.headers == ["Authorization": "Bearer 1"])
        #expect(asked.usesCookies)
        #expect(asked.requestModifier?.modify(asked)?.method == "POST")
    }

    @Test("results name the requested address, whatever was loaded in its place")
    func requestedAddress() async throws {
        let other = try ManagerBench.url("other.jpg")
        let rewriting = ScriptedInterceptor { request in
            var request = request
            request.url = other
            return .proceed(request)
        }
        let around = ScriptedInterceptor { _ in
            .around { chain throws(WebImageError) in try await chain.proceed(with: ImageRequest(other)) }
        }
        for interceptor in [rewriting, around] {
            let bench = ManagerBench()
            bench.manager.interceptors = [interceptor]
            let load = try bench.load()
            try await bench.transfer().finish(ScriptedCoder.file(1, 1))
            #expect(try await load.result().url == ManagerBench.url())
            #expect(load.operation.url == (try ManagerBench.url()))
        }
    }

    @Test("an interceptor that answers ends the load: no cache and no loader is asked, and no URL is blocked")
    func answers() async throws {
        let result = LoadResult(image: try .plain(7, 7), cacheType: .memory, url: try ManagerBench.url())
        bench.manager.interceptors = [ScriptedInterceptor { _ in .finish(.success(result)) }]
        #expect(try bench.load().words == ["memory 7x7"])
        bench.manager.interceptors = [ScriptedInterceptor { _ in .finish(.failure(Self.failure(.badImageData))) }]
        #expect(try bench.load().words == ["failed 1001"])
        bench.manager.interceptors = []
        #expect(bench.cache.queries.isEmpty)
        #expect(!bench.manager.isRunning)
        #expect(try await bench.load(sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("an interceptor may replace a missing address")
    func standsIn() async throws {
        let other = try ManagerBench.url("other.jpg")
        bench.manager.interceptors = [
            ScriptedInterceptor { request in
                var request = request
                request.url = request.url ?? other
                return .proceed(request)
            }
        ]
        let load = bench.manager.observed(ImageRequest(nil))
        try await bench.transfer().finish(ScriptedCoder.file(1, 1))
        #expect(try await load.result().url == other)
    }

    @Test("an interceptor that takes a load over may change its result")
    func around() async throws {
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                var result = try await chain.proceed()
                result.byteCount = 99
                return result
            }
        ]
        let load = try bench.load()
        #expect(bench.manager.isRunning)
        try await bench.transfer().finish(ScriptedCoder.file(2, 2))
        #expect(try await load.result().byteCount == 99)
        #expect(load.words == ["loaded 2x2"])
        #expect(!bench.manager.isRunning)
    }

    @Test("an interceptor may try again, with another request, and the rest of the chain sees each try")
    func retries() async throws {
        let inner = ScriptedInterceptor { .proceed($0) }
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                do { return try await chain.proceed() } catch {
                    var request = chain.request
                    request.options.insert(.retryFailed)
                    return try await chain.proceed(with: request)
                }
            }, inner,
        ]
        let load = try bench.load()
        try await bench.transfer(1).finish(Data("no".utf8))
        try await bench.transfer(2).finish(ScriptedCoder.file(2, 2))
        _ = try await load.result()
        #expect(load.words == ["loaded 2x2"])
        #expect(inner.requests.map(\.options) == [[], .retryFailed])
    }

    @Test("only inner loads put a URL on the list of failed ones, not the outer load")
    func failedURLs() async throws {
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                _ = try? await chain.proceed()
                throw Self.failure(.badImageData)
            }
        ]
        let load = try bench.load()
        try await bench.transfer().finish(ScriptedCoder.file(1, 1))
        #expect(try await load.failure().code == .badImageData)
        bench.manager.interceptors = []
        #expect(try await bench.load("a.jpg", .fromLoaderOnly, sending: ScriptedCoder.file(1, 1)).failure == nil)
    }

    @Test("an interceptor that never answers fails the load at its time-out")
    func neverAnswers() async throws {
        let clock = ManualClock()
        let bench = ManagerBench(clock: clock)
        let neverOpens = Gate()
        bench.manager.interceptorTimeout = .seconds(10)
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                try? await neverOpens.wait()
                return try await chain.proceed()
            }
        ]
        let load = try bench.load()
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(9))
        #expect(load.words.isEmpty)
        clock.advance(by: .seconds(1))
        let error = try await load.failure()
        #expect(error.code == .timedOut)
        #expect(error.kind == .transient)
        #expect(error.description.contains("interceptorTimeout"))
        #expect(bench.loader.loads.isEmpty)
        #expect(!bench.manager.isRunning)
    }

    @Test("an inner load may take any time; the time-out counts inactivity, and begins again after it")
    func slowLoad() async throws {
        let clock = ManualClock()
        let bench = ManagerBench(clock: clock)
        let neverOpens = Gate()
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                let result = try await chain.proceed()
                try? await neverOpens.wait()
                return result
            }
        ]
        let load = try bench.load()
        let transfer = try await bench.transfer()
        clock.advance(by: .seconds(600))
        #expect(load.words.isEmpty)
        transfer.finish(ScriptedCoder.file(1, 1))
        try await clock.waitForSleepers(1)
        clock.advance(by: .seconds(60))
        #expect(try await load.failure().code == .timedOut)
    }

    @Test("a cancellation reaches the inner loads at once, and the function's own task")
    func cancellation() async throws {
        let isOver = Gate()
        bench.manager.interceptors = [
            .around { chain async throws(WebImageError) in
                defer { if Task.isCancelled { isOver.open() } }
                return try await chain.proceed()
            }
        ]
        let load = try bench.load()
        let transfer = try await bench.transfer()
        load.cancel()
        #expect(load.words == ["failed 2002"])
        try await transfer.waitForCancellation()
        try await isOver.wait()
        #expect(!bench.manager.isRunning)
        #expect(load.words == ["failed 2002"])
    }

    @Test("an interceptor that continues after a cancellation loads nothing more")
    func proceedsAfterCancellation() async throws {
        let mayGoOn = Gate()
        let answer = Observed<WebImageError?>(nil)
        bench.manager.interceptors = [
            .around { chain async throws(WebImageError) in
                mayGoOn.waitBlocking()
                do throws(WebImageError) { return try await chain.proceed() } catch {
                    answer.update { $0 = error }
                    throw error
                }
            }
        ]
        let load = try bench.load()
        load.cancel()
        mayGoOn.open()
        let error = try await answer.wait { $0 != nil }
        #expect(error?.isCancelled == true)
        #expect(bench.loader.loads.isEmpty)
    }

    @Test("a change of priority reaches the inner loads, also those that start later")
    func priority() async throws {
        bench.manager.interceptors = [
            .around { chain throws(WebImageError) in
                do { return try await chain.proceed() } catch { return try await chain.proceed() }
            }
        ]
        let load = try bench.load()
        let first = try await bench.transfer(1)
        load.operation.setPriority(.high)
        try await first.waitForPriority(.high)
        #expect(first.priorities == [.high])
        first.fail(Self.failure(.timedOut))
        let second = try await bench.transfer(2)
        if second.request.priority != .high { try await second.waitForPriority(.high) }
        second.finish(ScriptedCoder.file(1, 1))
        _ = try await load.result()
    }

    @Test("progress, partial and cached pictures of the inner loads go to the caller of the outer load")
    func updates() async throws {
        let bench = ManagerBench(coder: ScriptedProgressiveCoder())
        bench.manager.interceptors = [.around { chain throws(WebImageError) in try await chain.proceed() }]
        let load = try bench.load("a.jpg", .progressiveLoad)
        let transfer = try await bench.transfer()
        transfer.progress(4, of: 6)
        transfer.send(Data("4x3:".utf8))
        try await load.story.waitForEvents(2)
        transfer.finish(ScriptedProgressiveCoder.file(4, 3, body: "ab"))
        _ = try await load.result()
        #expect(load.words == ["progress 4", "partial 4x3", "loaded 4x3"])
        let again = try bench.load("a.jpg", .refreshCached)
        try await bench.transfer(2).fail(
            WebImageError(.cacheNotModified, stage: .load, kind: .permanent, reason: "still good"))
        _ = try await again.result()
        #expect(again.words == ["cached memory 4x3", "memory 4x3"])
    }

    @Test("two interceptors that take over are nested")
    func nested() async throws {
        let trail = Observed<[String]>([])
        func tracing(_ name: String) -> ScriptedInterceptor {
            .around { chain throws(WebImageError) in
                trail.update { $0.append("\(name) in") }
                defer { trail.update { $0.append("\(name) out") } }
                return try await chain.proceed()
            }
        }
        bench.manager.interceptors = [tracing("outer"), tracing("inner")]
        let load = try bench.load()
        try await bench.transfer().finish(ScriptedCoder.file(1, 1))
        _ = try await load.result()
        #expect(trail.value == ["outer in", "inner in", "inner out", "outer out"])
    }

    @Test("a transfer without a waiting load, after the function has ended, is cancelled")
    func abandonedTransfer() async throws {
        let result = LoadResult(image: try .plain(7, 7), cacheType: .memory, url: try ManagerBench.url())
        let loader = bench.loader
        bench.manager.interceptors = [
            .around { chain async throws(WebImageError) in
                Task { try? await chain.proceed() }
                _ = try? await loader.waitForLoads(1)
                return result
            }
        ]
        let load = try bench.load()
        _ = try await load.result()
        #expect(load.words == ["memory 7x7"])
        try await bench.transfer().waitForCancellation()
    }
}
