import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

/// The content of a view when collaborators are asked for its picture.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct ViewOrderTests {
    private let bench = ViewBench()

    @Test(
        "VIEW-1 S3-14 S3-26 memory is queried, then come the placeholder, the indicator and the status, then all others"
    )
    func order() throws {
        bench.view.changeIndicator(isThere: true) {}
        let cache = StoryCache(bench.surface)
        try bench.load(placeholder: .plain(1, 1)) { $0.cache = cache }
        #expect(
            bench.story() == [
                "memory is asked", "image shows placeholder 1x1", "indicator starts", "is loading", "disk is asked",
            ])
    }

    @Test("S3-26 S3-27 a loader that reports bytes at its start finds all in place, and its numbers are kept")
    func tellingAtOnce() throws {
        bench.view.changeIndicator(isThere: true) {}
        let surface = bench.surface
        let counts = StoryCounts()
        bench.view.progress.setObject(counts, for: .image)
        let loader = WatchedLoader { receive in
            MainActor.assumeIsolated { surface.story.append("loader is asked") }
            receive(.progress(LoadProgress(receivedByteCount: 2, expectedByteCount: 4)))
        }
        try bench.load(
            "a.jpg", .fromLoaderOnly, placeholder: .plain(1, 1), configure: { $0.loader = loader },
            progress: { _ in MainActor.assumeIsolated { surface.story.append("the caller is told") } })
        #expect(
            bench.story().filter { !$0.hasPrefix("indicator at") } == [
                "image shows placeholder 1x1", "indicator starts", "is loading", "loader is asked",
                "the caller is told",
            ])
        #expect(counts.told.value.last == 2)
    }

    @Test("VIEW-1 S3-15 a picture in memory, or from a disk that is read at once, is shown when the call returns")
    func atOnce() async throws {
        for options in [[], .queryDiskDataSync] as [WebImageOptions] {
            bench.manager.cache.clear(.all, completion: nil)
            bench.manager.cache.put(ScriptedCoder.file(4, 4), for: ManagerBench.key())
            if options.isEmpty { _ = await (try bench.load()).outcome() }
            _ = bench.story()
            try bench.load("a.jpg", options, placeholder: .plain(1, 1))
            let shown = bench.story().filter { $0.contains("shows") }
            #expect(shown.last?.hasSuffix("4x4") == true)
            #expect(shown.contains("image shows placeholder 1x1") == !options.isEmpty)
        }
    }

    @Test("a load that is stopped by a callback of its manager goes no further")
    func stoppedByTheManager() throws {
        let view = bench.view
        let stopping = ScriptedInterceptor { request in
            MainActor.assumeIsolated { view.cancel(.image) }
            return .proceed(request)
        }
        bench.manager.manager.interceptors = [stopping]
        let load = try bench.load()
        #expect(load.failureCode == .cancelled)
        #expect(load.outcomes.count == 1)
        #expect(!bench.manager.manager.isRunning)
    }
}

/// Records requests in a view's story. On the main thread.
private final class StoryCache: EmptyCache {
    private let surface: ScriptedSurface
    private let cache = SuspendedCache(answersAtOnce: false)

    init(_ surface: ScriptedSurface) { self.surface = surface }

    private func note(_ event: String) {
        MainActor.assumeIsolated { surface.story.append(event) }
    }

    func imageFromMemory(for key: CacheKey) -> Image? {
        note("memory is asked")
        return nil
    }

    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        note("disk is asked")
        return cache.queryDisk(for: key, priority: priority, completion: completion)
    }
}

/// Keeps the bytes that it is told of.
private final class StoryCounts: ProgressCounting {
    let told = Observed<[Int64]>([])

    func show(completed: Int64, of total: Int64) { told.update { $0.append(completed) } }
}
