import Testing
import WebImageTesting

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImageTestDoubles

@Suite("Shortage of memory", .timeLimit(.minutes(5)))
struct MemoryPressureTests {
    /// A scripted source of the kernel's memory pressure.
    private final class ScriptedSource: MemoryPressureSource {
        struct State: Sendable {
            var report: (@Sendable (MemoryPressure.Level) -> Void)?
            var starts = 0
        }

        final class Watch: CancellableTask {
            let source: ScriptedSource
            init(_ source: ScriptedSource) { self.source = source }
            func cancel() { source.state.update { $0.report = nil } }
        }

        let state = Observed(State())

        func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)? {
            state.update { state in
                state.report = report
                state.starts += 1
            }
            return Watch(self)
        }

        func say(_ level: MemoryPressure.Level) { state.value.report?(level) }
    }

    private let source = ScriptedSource()
    private let pressure: MemoryPressure

    init() { pressure = MemoryPressure(source: source) }

    private func cache() -> MemoryCache {
        MemoryCache(limits: MemoryCacheLimits(cost: nil, count: nil), pressure: pressure)
    }

    private func fill(_ cache: MemoryCache) throws {
        for number in 0..<100 { cache.store(try .sample(), for: CacheKey("\(number)"), cost: 10) }
    }

    @Test("the system gets the freed memory once all caches have freed it")
    func trimming() throws {
        let counts = Observed<[Int]>([])
        let watched = Observed<MemoryCache?>(nil)
        let pressure = MemoryPressure(source: source) {
            counts.update { $0.append(watched.value?.statistics.count ?? -1) }
        }
        let cache = MemoryCache(limits: MemoryCacheLimits(cost: nil, count: nil), pressure: pressure)
        watched.update { $0 = cache }
        try fill(cache)
        source.say(.warning)
        source.say(.critical)
        #expect(counts.value == [50, 0])
    }

    @Test("the system also gets what a receiver frees later")
    func laterTrimming() async throws {
        let trims = Observed(0)
        MemoryPressure(source: source) { trims.update { $0 += 1 } }.memoryWasFreed()
        try await trims.wait { $0 == 1 }
    }

    @Test("MEM-4 a warning halves every cache, and a critical one empties it")
    func levels() throws {
        let caches = [cache(), cache()]
        for cache in caches { try fill(cache) }
        source.say(.warning)
        #expect(caches.map(\.statistics.byteCount) == [500, 500])
        source.say(.warning)
        #expect(caches.map(\.statistics.byteCount) == [250, 250])
        source.say(.critical)
        #expect(caches.map(\.statistics.count) == [0, 0])
        #expect(caches.map(\.statistics.evictions) == [100, 100])
        try fill(caches[0])
        #expect(caches[0].statistics.count == 100, "a cache that was emptied works on")
    }

    @Test("MEM-4 an app reports a shortage that it learns in another way")
    func report() throws {
        let cache = cache()
        try fill(cache)
        pressure.report(.critical)
        #expect(cache.statistics.count == 0)
    }

    @Test("a source that is ignored empties nothing, and the app's own reports still do")
    func ignoredSource() throws {
        let cache = cache()
        try fill(cache)
        pressure.ignoreSource()
        source.say(.critical)
        #expect(cache.statistics.count == 100)
        pressure.report(.critical)
        #expect(cache.statistics.count == 0)
    }

    @Test("no source is opened before the first picture, one source serves all caches, and it stops with the last")
    func lifetime() throws {
        var first: MemoryCache? = cache()
        #expect(source.state.value.starts == 0)
        try first.map(fill)
        var second: MemoryCache? = cache()
        try second.map(fill)
        #expect(source.state.value.starts == 1)
        first = nil
        #expect(source.state.value.report != nil)
        second = nil
        #expect(source.state.value.report == nil)
        let third = cache()
        try fill(third)
        #expect(source.state.value.starts == 2)
        source.say(.critical)
        #expect(third.statistics.count == 0)
    }

    @Test("a cache listens by default, unless its settings say otherwise")
    func optOut() {
        var config = ImageCacheConfig()
        #expect(MemoryCache(config: config).pressure === MemoryPressure.shared)
        config.shouldTrimMemoryUnderPressure = false
        #expect(MemoryCache(config: config).pressure == nil)
    }

    /// Released with the last closure that captures it.
    private final class Probe: Sendable {
        let isGone: Observed<Bool>
        init(_ isGone: Observed<Bool>) { self.isGone = isGone }
        deinit { isGone.update { $0 = true } }
    }

    /// Listens at `root`; the value becomes true when no listener is left.
    private func listen(root: String) throws -> (watch: any CancellableTask, isOver: Observed<Bool>) {
        let isOver = Observed(false)
        let probe = Probe(isOver)
        let watch = KernelMemoryPressure(root: root).watch { _ in withExtendedLifetime(probe) {} }
        return (try #require(watch), isOver)
    }

    @Test("the thread that listens to the kernel ends with the last listener", .timeLimit(.minutes(10)))
    func kernel() async throws {
        let (watch, isOver) = try listen(root: "")
        watch.cancel()
        watch.cancel()
        try await isOver.wait { $0 }
    }

    @Test("where the kernel offers no such file, listening ends by itself", .timeLimit(.minutes(10)))
    func noKernel() async throws {
        let (watch, isOver) = try listen(root: try CacheDirectory().path)
        try await isOver.wait { $0 }
        watch.cancel()
    }
}
