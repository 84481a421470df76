import FoundationEssentials
import Synchronization
import WebImageCoders
import WebImageCore
import WebImageHTTP

/// The central object: loads the picture of a URL from memory, from the disk or with a loader.
///
/// ```swift
/// let image = try await WebImageManager.shared.image(for: url)
/// ```
/// Loads of the same URL share one transfer, loads of the same picture one decode, and loads of the same transformed
/// picture one transform; joining an equal load, context included, costs almost nothing. Safe to use from any thread.
/// The caller's thread only queries the memory cache, unless an option requires more. Some code of the app is also
/// called there: key filters, processors and interceptors, and for loads without a disk query the delegate and the
/// loader.
public final class WebImageManager: Sendable {
    /// The manager with ``defaultImageCache``, ``defaultImageLoader`` and ``ImageCodersManager/shared``, as they are at
    /// its first use.
    public static let shared = WebImageManager()

    /// The cache of all loads whose context names none.
    public var cache: any ImageCaching { core.defaults.cache }
    /// The loader of all loads whose context names none.
    public var loader: any ImageLoader { core.defaults.loader }
    /// The coder of all loads whose context names none.
    public var coder: any ImageCoder { core.defaults.coder }

    let core: LoadCore
    /// An object, so that a load retains all settings with one reference.
    private let current = Mutex(LoadSettings())

    /// A manager with its own cache, loader, coder and list of failed URLs.
    public convenience init(
        cache: any ImageCaching = WebImageManager.defaultImageCache,
        loader: any ImageLoader = WebImageManager.defaultImageLoader,
        coder: any ImageCoder = ImageCodersManager.shared
    ) {
        self.init(cache: cache, loader: loader, coder: coder, clock: ContinuousClock())
    }

    /// - Parameters:
    ///   - clock: Measures ``interceptorTimeout`` and ``ImageDecodeOptions/progressiveInterval``.
    ///   - queue: Decodes, transforms and encodes pictures.
    ///   - taskExecutor: Runs the functions of interceptors, and the waits for that interval; nil for Swift's default.
    ///   - now: The date, by which cached responses age.
    package convenience init(
        cache: any ImageCaching, loader: any ImageLoader, coder: any ImageCoder, clock: any Clock<Duration>,
        queue: JobQueue = .decoding, taskExecutor: (any TaskExecutor)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let work = queue === JobQueue.decoding ? PixelWork.shared : PixelWork(queue: queue)
        self.init(
            cache: cache, loader: loader, coder: coder,
            shared: SharedStages(work: work, clock: clock, taskExecutor: taskExecutor, now: now))
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
    ///   - request: The picture's address, `http(s):`, `file:`, `data:` or any that a registered loader accepts, with
    ///     all settings. nil and empty URLs fail with ``WebImageError/Code/invalidURL``.
    ///   - progress: Gets the progress as bytes arrive, on any thread, one report at a time and none after the end,
    ///     which waits for it to return. Reports that arrive meanwhile are merged into one.
    ///   - received: Gets pictures before the end: the cached picture of a load that refreshes it, the preview, and partial
    ///     pictures of a progressive load. On the context's callback queue, in order.
    ///   - completed: Gets the picture or the reason why there is none, on the context's callback queue, exactly once.
    /// - Returns: The handle to cancel the load.
    @discardableResult
    public func load(
        _ request: ImageRequest, progress: (@Sendable (LoadProgress) -> Void)? = nil,
        received: (@Sendable (LoadEvent) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        start(request, LoadCallbacks(progress: progress, received: received, completed: completed))
    }

    /// Loads the picture at `address`, a `URL` or a text that a person has written (see ``ImageAddress``); otherwise as
    /// ``load(_:progress:received:completed:)``. Text that is no address fails with ``WebImageError/Code/invalidURL``.
    @discardableResult
    public func load(
        _ address: (any ImageAddress)?, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        progress: (@Sendable (LoadProgress) -> Void)? = nil, received: (@Sendable (LoadEvent) -> Void)? = nil,
        completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void
    ) -> LoadOperation {
        let callbacks = LoadCallbacks(progress: progress, received: received, completed: completed)
        var request = ImageRequest(nil, options: options, context: context)
        do throws(WebImageError) {
            request.url = try address?.imageURL
            return start(request, callbacks)
        } catch {
            return core.end(request, with: error, settings, callbacks)
        }
    }

    /// Cancels all running loads, in the order in which they began.
    public func cancelAll() {
        for operation in core.shared.running.all { operation.cancel() }
    }

    /// Whether any load is running.
    public var isRunning: Bool { !core.shared.running.isEmpty }

    /// How long a URL that has failed for good is refused, from its last failure on, and a decode that has failed after more
    /// than half a second is not repeated; nil for ever. Default 10 minutes.
    public var failedURLTimeToLive: Duration? {
        get { core.shared.failedURLs.timeToLive }
        set {
            core.shared.failedURLs.timeToLive = newValue
            core.shared.failedDecodes.timeToLive = newValue
        }
    }

    /// Allows `url` to be loaded and decoded again after a failure.
    public func removeFailedURL(_ url: URL) {
        core.shared.failedURLs.remove(url)
        core.shared.failedDecodes.removeAll { $0.url == url }
    }

    /// Allows all failed URLs to be loaded and decoded again.
    public func removeAllFailedURLs() {
        core.shared.failedURLs.removeAll()
        core.shared.failedDecodes.removeAll()
    }

    package func start(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> LoadOperation {
        core.start(request, settings, callbacks)
    }

    // MARK: Loads that wait

    /// Asks the interceptors and memory about a load that may begin at once or wait.
    package func prepare(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> PlannedLoad {
        var load = core.prepare(request, settings, callbacks)
        core.askMemory(for: &load)
        return load
    }

    /// Whether the load ends at once, with a picture from memory.
    package func endsAtOnce(_ load: PlannedLoad) -> Bool { core.endsAtOnce(load) }

    /// Begins a prepared load at once.
    package func begin(_ load: PlannedLoad) -> LoadOperation { core.begin(core.renewed(load, settings)) }

    /// The handle of a load that waits for ``begin(_:_:)``. It counts as running, and can be cancelled.
    package func hold(_ request: ImageRequest, _ callbacks: LoadCallbacks) -> LoadOperation {
        let operation = LoadOperation(request, callbacks: callbacks, trace: nil, shared: core.shared)
        core.shared.running.insert(operation)
        return operation
    }

    /// Begins a load in its handle, with the settings of now. Memory is asked anew, and no interceptor.
    package func begin(_ operation: LoadOperation, _ load: PlannedLoad) {
        guard operation.isOpen else { return }
        _ = core.begin(core.renewed(load.afterWait, settings), as: operation)
    }

    /// Takes a load back to where it was before it began. Does nothing once half of the bytes
    /// have arrived: they would have to be transferred again.
    ///
    /// - Returns: Whether it waits for ``begin(_:_:)`` again.
    package func suspend(_ operation: LoadOperation) -> Bool { operation.takeBack() }

    var settings: LoadSettings { current.withLock { $0 } }

    /// Changes the settings of loads that begin from now on.
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

    /// The old settings may retain objects of the app: they are released outside the lock.
    private func replaceSettings(_ make: (LoadSettings) -> LoadSettings) {
        let before = current.withLock { current in
            let before = current
            current = make(before)
            return before
        }
        withExtendedLifetime(before) {}
    }
}
