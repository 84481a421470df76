import FoundationEssentials
import Testing
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

/// A manager whose cache, loader and coder the test controls.
struct ManagerBench {
    let cache: SuspendedCache
    let loader: SuspendedLoader
    let manager: WebImageManager

    init(
        cache: SuspendedCache = SuspendedCache(), loader: SuspendedLoader = SuspendedLoader(),
        coder: any ImageCoder = ScriptedCoder(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.cache = cache
        self.loader = loader
        manager = WebImageManager(
            cache: cache, loader: loader, coder: coder, clock: clock, queue: .withOwnThreads(), now: now)
        // A sanitizer on a busy machine delays an interceptor more than in an app.
        if clock is ContinuousClock { manager.interceptorTimeout = .seconds(600) }
    }

    static func url(_ name: String = "a.jpg") throws -> URL { try #require(URL(string: "http://host/\(name)")) }

    static func key(_ name: String = "a.jpg") -> CacheKey { CacheKey("http://host/\(name)") }

    /// Starts a load of `http://host/name`.
    func load(
        _ name: String = "a.jpg", _ options: WebImageOptions = [],
        configure: (inout WebImageContext) -> Void = { _ in }
    ) throws -> ManagedLoad {
        var context = WebImageContext()
        configure(&context)
        return manager.observed(ImageRequest(try Self.url(name), options: options, context: context))
    }

    /// The `number`th started transfer, counting from 1; waits for it.
    func transfer(_ number: Int = 1) async throws -> SuspendedLoad {
        try await loader.waitForLoads(number)[number - 1]
    }

    /// Loads `http://host/name` to its end; the next started transfer gets `data`.
    @discardableResult
    func load(
        _ name: String = "a.jpg", _ options: WebImageOptions = [], sending data: Data,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) async throws -> Result<LoadResult, WebImageError> {
        let next = loader.loads.count + 1
        let load = try load(name, options, configure: configure)
        try await transfer(next).finish(data)
        return try await load.ending()
    }
}
