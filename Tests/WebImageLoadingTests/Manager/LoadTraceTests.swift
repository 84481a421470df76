import FoundationEssentials
import Synchronization
import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("Load trace", .timeLimit(.minutes(5)))
struct LoadTraceTests {
    private let trace = TraceRecorder()
    private let loader = SuspendedLoader()
    private let url = URL(string: "http://host/a.jpg") ?? URL(filePath: "/")
    private let file = ScriptedCoder.file(3, 2)

    private var context: WebImageContext {
        var context = WebImageContext()
        context.callbackQueue = .current
        context.listener = trace
        return context
    }

    private func manager(
        _ cache: SuspendedCache = SuspendedCache(), coder: any ImageCoder = ScriptedCoder()
    ) -> WebImageManager {
        WebImageManager(cache: cache, loader: loader, coder: coder)
    }

    @discardableResult
    private func start(
        _ manager: WebImageManager, _ options: WebImageOptions = [],
        configure: (inout WebImageContext) -> Void = { _ in }
    ) -> LoadOperation {
        var context = context
        configure(&context)
        return manager.load(url, options: options, context: context) { _ in }
    }

    private func finish() async throws {
        try await loader.waitForLoad(of: url).finish(file)
        try await trace.waitForEnd()
    }

    private static let missedEverywhere = ["+whole", "+memory", "-memory missed", "+disk", "-disk missed"]
    private static let delivered = ["+deliver", "-deliver done", "-whole done"]

    // MARK: Endings

    @Test("S3-13 DL-27 the stages of a load are reported in the order of the pipeline")
    func miss() async throws {
        start(manager())
        try await finish()
        let rest = ["+load", "-load done", "+decode", "-decode done", "+store", "-store done"]
        #expect(trace.words == Self.missedEverywhere + rest + Self.delivered)
        #expect(trace.faults.isEmpty)
        #expect(trace.events.allSatisfy { $0.url == url && $0.load == trace.events[0].load && $0.parent == nil })
    }

    @Test("S3-13 a picture in memory has two stages, and its bytes are reported")
    func memoryHit() throws {
        let cache = SuspendedCache()
        let image = try WebImageManagerTests.picture()
        cache.storeInMemory(image, for: CacheKey(url.absoluteString))
        start(manager(cache))
        #expect(trace.words == ["+whole", "+memory", "-memory done"] + Self.delivered)
        guard case .ended(.done(let byteCount), _) = trace.events[2].phase else { throw WebImageError.cancelled() }
        #expect(byteCount == image.memoryCost)
    }

    @Test("S3-13 a file on disk is read and decoded; nothing is loaded")
    func diskHit() async throws {
        let cache = SuspendedCache()
        cache.put(file, for: CacheKey(url.absoluteString))
        start(manager(cache))
        try await trace.waitForEnd()
        let rest = ["-disk done", "+decode", "-decode done", "+store", "-store done"]
        #expect(trace.words == Self.missedEverywhere.dropLast() + rest + Self.delivered)
    }

    @Test("S3-13 a transformed picture is looked up, made of its original, and transformed")
    func transformed() async throws {
        let cache = SuspendedCache()
        cache.put(file, for: CacheKey(url.absoluteString))
        start(manager(cache)) { $0.transformer = ScriptedTransformer() }
        try await trace.waitForEnd()
        let rest = [
            "+original", "-original done", "+decode", "-decode done", "+transform", "-transform done", "+store",
            "-store done",
        ]
        #expect(trace.words == Self.missedEverywhere + rest + Self.delivered)
    }

    @Test("a failure ends its stage and the whole load with its error")
    func failure() async throws {
        start(manager())
        try await loader.waitForLoad(of: url).fail(
            WebImageError(.timedOut, stage: .load, kind: .transient, reason: "no"))
        try await trace.waitForEnd()
        #expect(
            trace.words == Self.missedEverywhere + ["+load", "-load 3001", "+deliver", "-deliver done", "-whole 3001"])
    }

    @Test("a load that is refused at once has no stages but its delivery")
    func refused() {
        manager().load(nil, context: context) { _ in }
        #expect(trace.words == ["+whole", "+deliver", "-deliver done", "-whole 1000"])
    }

    @Test("a cached picture that is still good: delivered twice, and the server's answer is no failure of the whole")
    func refreshed() async throws {
        let cache = SuspendedCache()
        cache.put(file, for: CacheKey(url.absoluteString))
        start(manager(cache), .refreshCached)
        try await loader.waitForLoad(of: url).fail(
            WebImageError(.cacheNotModified, stage: .load, kind: .policy, reason: "304"))
        try await trace.waitForEnd()
        #expect(trace.words.suffix(6) == ["-deliver done", "+load", "-load 1002"] + Self.delivered)
        #expect(trace.words.count { $0 == "+deliver" } == 2)
        #expect(trace.faults.isEmpty)
    }

    @Test("the first byte is reported once, with its time, while the load stage runs")
    func firstByte() async throws {
        start(manager())
        let load = try await loader.waitForLoad(of: url)
        load.progress(0, of: 100)
        load.progress(10, of: 100)
        load.progress(20, of: 100)
        load.finish(file)
        try await trace.waitForEnd()
        #expect(trace.words.filter { $0.hasSuffix("load") } == ["+load", "~load"])
        #expect(trace.faults.isEmpty)
    }

    // MARK: Cancellation

    private func checkCancelled(during stage: LoadStageEvent.Stage) async throws {
        try await trace.waitForEnd()
        #expect(trace.faults.isEmpty)
        #expect(trace.words.suffix(4) == ["-\(stage) 2002", "+deliver", "-deliver done", "-whole 2002"])
    }

    @Test("a load that is cancelled while the disk is read ends that stage first")
    func cancelledOnDisk() async throws {
        start(manager(SuspendedCache(answersAtOnce: false))).cancel()
        try await checkCancelled(during: .disk)
    }

    @Test("a load that is cancelled while it loads ends that stage first")
    func cancelledWhileLoading() async throws {
        start(manager()).cancel()
        try await checkCancelled(during: .load)
    }

    @Test("a load that is cancelled while it decodes ends that stage first, and the decode's result is not reported")
    func cancelledWhileDecoding() async throws {
        let (isDecoding, mayDecode) = (Gate(), Gate())
        let coder = ScriptedCoder { _ in
            isDecoding.open()
            mayDecode.waitBlocking()
        }
        let operation = start(manager(coder: coder))
        try await loader.waitForLoad(of: url).finish(file)
        try await isDecoding.wait()
        operation.cancel()
        mayDecode.open()
        try await checkCancelled(during: .decode)
    }

    @Test("a load that is cancelled while it transforms ends that stage first")
    func cancelledWhileTransforming() async throws {
        let held = HeldTransform()
        let operation = start(manager()) { $0.transformer = held.transformer }
        try await loader.waitForLoad(of: url).finish(file)
        try await trace.wait(for: .transform)
        operation.cancel()
        held.goOn()
        try await checkCancelled(during: .transform)
    }

    @Test("a load that is cancelled while its file is written ends that stage first")
    func cancelledWhileStoring() async throws {
        let isStoring = Gate()
        let cache = SuspendedCache(holdsStores: true, didStore: { isStoring.open() })
        let operation = start(manager(cache), .waitStoreCache)
        try await loader.waitForLoad(of: url).finish(file)
        // The stage is reported before the write is requested.
        try await isStoring.wait()
        operation.cancel()
        cache.releaseStores()
        try await checkCancelled(during: .store)
    }

    @Test("a load that is cancelled while it waits for its callback queue is delivered once, as cancelled")
    func cancelledOnDelivery() async throws {
        let callbacks = Mutex<[@Sendable () -> Void]>([])
        let operation = start(manager()) { context in
            context.callbackQueue = CallbackQueue { callback in callbacks.withLock { $0.append(callback) } }
        }
        try await loader.waitForLoad(of: url).finish(file)
        try await trace.wait(for: .deliver)
        operation.cancel()
        for callback in callbacks.withLock({ $0 }) { callback() }
        try await trace.waitForEnd()
        #expect(trace.words.suffix(3) == ["+deliver", "-deliver done", "-whole 2002"])
        #expect(trace.faults.isEmpty)
    }

    // MARK: Interceptors

    @Test("an interceptor's answer is delivered without a stage")
    func answered() {
        let manager = manager()
        manager.interceptors = [ScriptedInterceptor { _ in .finish(.failure(.cancelled())) }]
        start(manager)
        #expect(trace.words == ["+whole", "+deliver", "-deliver done", "-whole 2002"])
    }

    @Test("the loads of an interceptor that has taken over are parts of the whole")
    func around() async throws {
        let manager = manager()
        manager.interceptors = [
            ScriptedInterceptor { _ in .around { chain throws(WebImageError) in try await chain.proceed() } }
        ]
        start(manager)
        try await loader.waitForLoad(of: url).finish(file)
        try await trace.waitForEnd(of: 2)
        #expect(trace.faults.isEmpty)
        let whole = trace.events[0].load
        let parts = trace.events.filter { $0.load != whole }
        #expect(parts.count == 14 && parts.allSatisfy { $0.parent == whole })
        #expect(
            trace.events.filter { $0.load == whole }.map(\.stage) == [
                .whole, .intercept, .intercept, .deliver, .deliver, .whole,
            ])
    }

    @Test("an interceptor that has taken over and is cancelled ends its stage, and its loads end too")
    func aroundCancelled() async throws {
        let manager = manager()
        manager.interceptors = [
            ScriptedInterceptor { _ in .around { chain throws(WebImageError) in try await chain.proceed() } }
        ]
        let operation = start(manager)
        _ = try await loader.waitForLoad(of: url)
        operation.cancel()
        try await trace.waitForEnd(of: 2)
        #expect(trace.faults.isEmpty)
        #expect(trace.words.contains("-intercept 2002") && trace.words.contains("-load 2002"))
    }

    // MARK: Listeners

    @Test("S3-13 the manager's listeners and the context's get the same")
    func listeners() async throws {
        let manager = manager()
        let others = [TraceRecorder(), TraceRecorder()]
        manager.listeners = others
        start(manager)
        try await finish()
        for other in others {
            try await other.waitForEnd()
            #expect(other.words == trace.words)
        }
    }

    @Test("a load without a listener keeps no record")
    func nobody() {
        let operation = start(manager()) { $0.listener = nil }
        defer { operation.cancel() }
        #expect(operation.trace == nil)
        #expect(trace.events.isEmpty)
    }

    @Test("late begins and ends of stages, on overtaken threads, are ignored")
    func tooLate() throws {
        let load = try #require(LoadTrace(url: url, parent: nil, listeners: [trace]))
        load.begin(.whole)
        load.end(.decode, .missed)
        load.begin(.decode)
        load.begin(.decode)
        load.finish(.failure(.cancelled()))
        load.begin(.store)
        load.end(.decode, .missed)
        load.note(LoadProgress(receivedByteCount: 1))
        #expect(trace.words == ["+whole", "+decode", "-decode 2002", "-whole 2002"])
    }
}
