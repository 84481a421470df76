import FoundationEssentials

/// The one way in: gives a picture for a URL, from memory, from the disk or from a loader.
///
/// ```swift
/// let image = try await WebImageManager.shared.image(for: url)
/// ```
/// Loads of the same URL share one transfer, and loads of the same picture one decode. Safe to use from any thread; the
/// only work done on the caller's thread is a look into the memory cache.
public final class WebImageManager: Sendable {
    /// The manager over ``ImageCache/shared``, ``ImageLoadersManager/shared`` and ``ImageCodersManager/shared``.
    public static let shared = WebImageManager(cache: ImageCache.shared, loader: ImageLoadersManager.shared)

    /// The cache of all loads whose context names none.
    public var cache: any ImageCaching { defaults.cache }
    /// The loader of all loads whose context names none.
    public var loader: any ImageLoader { defaults.loader }
    /// The coder of all loads whose context names none.
    public var coder: any ImageCoder { defaults.coder }

    private let defaults: LoadDefaults
    private let shared = SharedStages()

    /// A manager over a cache, a loader and a coder of its own, with a list of failed URLs of its own.
    public init(
        cache: any ImageCaching, loader: any ImageLoader, coder: any ImageCoder = ImageCodersManager.shared
    ) {
        defaults = LoadDefaults(cache: cache, loader: loader, coder: coder)
    }

    /// Loads a picture and calls back once.
    ///
    /// A picture in memory is delivered before this returns when the callback queue allows it, as the main queue does
    /// for a caller on the main thread.
    /// - Parameters:
    ///   - url: The picture's address: `http(s):`, `file:`, `data:`, or what a registered loader takes. nil and empty
    ///     URLs fail with ``WebImageError/Code/invalidURL``.
    ///   - progress: Gets the bytes as they come, on any thread, and never after the end.
    ///   - completed: Gets the picture or the reason why there is none, on the context's callback queue, exactly once.
    /// - Returns: The handle to cancel the load.
    @discardableResult
    public func load(
        _ url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        let url = url.map { url in Result { () throws(WebImageError) in try url.checked() } }
        return start(url ?? .failure(.noURL), options, context, progress, completed)
    }

    /// Loads the picture of an address or a path as a person writes it; see ``Foundation/URL/init(imageAddress:)``. Text
    /// that is neither fails with ``WebImageError/Code/invalidURL``, all else is as with a URL.
    @discardableResult
    public func load(
        _ address: String, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        let url = Result { () throws(WebImageError) in try URL(imageAddress: address) }
        return start(url, options, context, progress, completed)
    }

    /// Ends all loads that are under way.
    public func cancelAll() {
        for operation in shared.running.all { operation.cancel() }
    }

    /// Whether any load is under way.
    public var isRunning: Bool { !shared.running.isEmpty }

    /// The picture in memory for `url`, at once; nil when it is not there.
    public func imageFromMemory(for url: URL, context: WebImageContext = WebImageContext()) -> Image? {
        let plan = LoadPlan(url: url, options: [], context: context, defaults: defaults)
        return plan.cache.imageFromMemory(for: plan.memoryKey)
    }

    /// Gives `url` another chance after a failure.
    public func removeFailedURL(_ url: URL) { shared.failedURLs.remove(url) }

    /// Gives all URLs that failed another chance.
    public func removeAllFailedURLs() { shared.failedURLs.removeAll() }

    private func start(
        _ url: Result<URL, WebImageError>, _ options: WebImageOptions, _ context: WebImageContext,
        _ progress: LoadOperation.Progress?, _ completed: @escaping LoadOperation.Completion
    ) -> LoadOperation {
        let plan = LoadPlan(
            url: (try? url.get()) ?? .noAddress, options: options, context: context, defaults: defaults)
        let stages = LoadStages(plan: plan, shared: shared)
        let operation = LoadOperation(plan: plan, stages: stages, progress: progress, completed: completed)
        if let refusal = url.failure ?? blackListing(of: plan) {
            operation.refuse(refusal)
        } else {
            let image = plan.queriesMemory ? plan.cache.imageFromMemory(for: plan.memoryKey) : nil
            shared.running.insert(operation)
            operation.start(inMemory: image)
        }
        return operation
    }

    private func blackListing(of plan: LoadPlan) -> WebImageError? {
        guard !plan.options.contains(.retryFailed), shared.failedURLs.contains(plan.url) else { return nil }
        return WebImageError(
            .blackListed, stage: .request, kind: .policy,
            reason: "it failed before; load it with retryFailed to try again", url: plan.url)
    }
}

extension URL {
    /// Stands for "no URL" in a load that fails at once.
    fileprivate static var noAddress: URL { URL(filePath: "/") }

    fileprivate func checked() throws(WebImageError) -> URL {
        guard !absoluteString.isEmpty else { throw .noURL }
        return self
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
