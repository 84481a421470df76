import FoundationEssentials
import Synchronization

/// The one way in: gives a picture for a URL, from memory, from the disk or from a loader.
///
/// ```swift
/// let image = try await WebImageManager.shared.image(for: url)
/// ```
/// Loads of the same URL share one transfer, loads of the same picture one decode, and loads of the same transformed
/// picture one transform; joining a load of the very same, context included, costs next to nothing. Safe to use from
/// any thread; the only work done on the caller's thread is a look into the memory cache, unless an option asks for
/// more, or settings of the app's own: key filters, processors and interceptors are asked there, and where no disk is
/// looked at, the delegate and the loader.
public final class WebImageManager: Sendable {
    /// The manager over ``defaultImageCache``, ``defaultImageLoader`` and ``ImageCodersManager/shared``, as they are when
    /// it is used for the first time.
    public static let shared = WebImageManager()

    /// The cache of all loads whose context names none.
    public var cache: any ImageCaching { core.defaults.cache }
    /// The loader of all loads whose context names none.
    public var loader: any ImageLoader { core.defaults.loader }
    /// The coder of all loads whose context names none.
    public var coder: any ImageCoder { core.defaults.coder }

    let core: LoadCore
    /// In a class of its own, so that a load keeps all of them by one reference.
    private let current = Mutex(LoadSettings())

    /// A manager over a cache, a loader and a coder of its own, with a list of failed URLs of its own.
    public convenience init(
        cache: any ImageCaching = WebImageManager.defaultImageCache,
        loader: any ImageLoader = WebImageManager.defaultImageLoader,
        coder: any ImageCoder = ImageCodersManager.shared
    ) {
        self.init(cache: cache, loader: loader, coder: coder, clock: ContinuousClock())
    }

    /// - Parameters:
    ///   - clock: Measures ``interceptorTimeout`` and ``ImageDecodeOptions/progressiveInterval``.
    ///   - queue: Where pictures are decoded, transformed and encoded.
    ///   - taskExecutor: Where the functions of interceptors run, and the waits for that interval; nil takes Swift's own.
    package convenience init(
        cache: any ImageCaching, loader: any ImageLoader, coder: any ImageCoder, clock: any Clock<Duration>,
        queue: JobQueue = .decoding, taskExecutor: (any TaskExecutor)? = nil
    ) {
        let work = queue === JobQueue.decoding ? PixelWork.shared : PixelWork(queue: queue)
        self.init(
            cache: cache, loader: loader, coder: coder,
            shared: SharedStages(work: work, clock: clock, taskExecutor: taskExecutor))
    }

    init(cache: any ImageCaching, loader: any ImageLoader, coder: any ImageCoder, shared: SharedStages) {
        core = LoadCore(
            defaults: LoadDefaults(cache: cache, loader: loader, coder: coder), shared: shared, clock: shared.clock,
            taskExecutor: shared.taskExecutor)
    }

    /// Loads a picture and calls back once.
    ///
    /// A picture in memory is delivered before this returns when the callback queue allows it, as the main queue does
    /// for a caller on the main thread.
    /// - Parameters:
    ///   - request: The picture's address, `http(s):`, `file:`, `data:` or what a registered loader takes, with all
    ///     settings. nil and empty URLs fail with ``WebImageError/Code/invalidURL``.
    ///   - progress: Gets the bytes as they come, on any thread, one report at a time and none after the end, which waits
    ///     for it to return. Reports that come meanwhile are told as one.
    ///   - received: Gets what comes before the end: the cached picture of a load that refreshes it, parts of a picture
    ///     that loads progressively. On the context's callback queue, in order.
    ///   - completed: Gets the picture or the reason why there is none, on the context's callback queue, exactly once.
    /// - Returns: The handle to cancel the load.
    @discardableResult
    public func load(
        _ request: ImageRequest, progress: (@Sendable (LoadProgress) -> Void)? = nil,
        received: (@Sendable (LoadUpdate) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        start(request, LoadCallbacks(progress: progress, received: received, completed: completed))
    }

    /// Loads the picture at `url`; see ``load(_:progress:received:completed:)``.
    @discardableResult
    public func load(
        _ url: URL?, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil, received: (@Sendable (LoadUpdate) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        load(
            ImageRequest(url, options: options, context: context), progress: progress, received: received,
            completed: completed)
    }

    /// Loads the picture of an address or a path as a person writes it; see ``Foundation/URL/init(imageAddress:)``. Text
    /// that is neither fails with ``WebImageError/Code/invalidURL``, all else is as with a URL.
    @discardableResult
    public func load(
        _ address: String, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil, received: (@Sendable (LoadUpdate) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        let callbacks = LoadCallbacks(progress: progress, received: received, completed: completed)
        var request = ImageRequest(nil, options: options, context: context)
        do throws(WebImageError) {
            request.url = try URL(imageAddress: address)
            return start(request, callbacks)
        } catch {
            return core.start(request, invalid: error, settings: settings, callbacks: callbacks)
        }
    }

    /// Ends all loads that are under way, in the order in which they began.
    public func cancelAll() {
        for operation in core.shared.running.all { operation.cancel() }
    }

    /// Whether any load is under way.
    public var isRunning: Bool { !core.shared.running.isEmpty }

    /// Gives `url` another chance after a failure.
    public func removeFailedURL(_ url: URL) { core.shared.failedURLs.remove(url) }

    /// Gives all URLs that failed another chance.
    public func removeAllFailedURLs() { core.shared.failedURLs.removeAll() }

    func start(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> LoadOperation {
        core.start(request, settings: settings, callbacks: callbacks)
    }

    /// A load that does not begin yet, and waits for ``begin(_:_:)``. It is under way as all others are, and can be cancelled.
    func prepare(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> LoadOperation {
        let operation = LoadOperation(request, callbacks: callbacks, trace: nil, shared: core.shared)
        core.shared.running.insert(operation)
        return operation
    }

    /// Begins a load that was only prepared; `request` may say more than it did then.
    func begin(_ operation: LoadOperation, _ request: ImageRequest) {
        guard operation.isOpen else { return }
        let load = start(
            request,
            LoadCallbacks(
                queue: .current, progress: { operation.report($0) }, received: { operation.receive($0) },
                completed: { operation.finish(LoadEnding($0)) }))
        if operation.wait(for: .load(load)) { load.setPriority(operation.priority) }
    }

    var settings: LoadSettings { current.withLock { $0 } }

    /// Changes what loads that begin from now on add to their requests.
    func changeSettings(_ change: (inout LoadSettings.Values) -> Void) {
        replaceSettings { settings in
            var values = settings.values
            change(&values)
            return LoadSettings(values: values, delegate: settings.delegate)
        }
    }

    func setDelegate(_ delegate: (any WebImageManagerDelegate)?) {
        replaceSettings { LoadSettings(values: $0.values, delegate: delegate) }
    }

    /// What was set before is the app's own: it is let go outside the lock.
    private func replaceSettings(_ make: (LoadSettings) -> LoadSettings) {
        let before = current.withLock { current in
            let before = current
            current = make(before)
            return before
        }
        withExtendedLifetime(before) {}
    }
}
