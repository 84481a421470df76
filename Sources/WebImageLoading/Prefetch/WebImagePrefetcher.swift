import FoundationEssentials
import Synchronization
import WebImageCore

/// Loads pictures in advance, a few at a time and at low priority.
///
/// ```swift
/// let token = WebImagePrefetcher.shared.prefetch(urls, completed: nil)
/// let result = await WebImagePrefetcher.shared.prefetch(urls)
/// ```
/// It never delays a load with a waiting user: it uses few slots, leaves one free in the downloader and in the decoder,
/// and a load of a picture that is being prefetched joins it and raises its priority. Several calls run in parallel and
/// share the slots in their order. A prefetcher need not be retained while it works; one that is released while it is
/// paused cancels what waits. Safe to use from any thread.
public final class WebImagePrefetcher: Sendable {
    /// A prefetcher with its own manager over the default cache and loader: its failed URLs and its cancellations are
    /// separate from those of ``WebImageManager/shared``.
    public static let shared = WebImagePrefetcher(manager: WebImageManager())

    /// The manager that loads the pictures.
    public let manager: WebImageManager

    let state = Mutex(State())

    /// A prefetcher with `manager`.
    public init(manager: WebImageManager) { self.manager = manager }

    deinit {
        for token in state.withLock({ $0.tokens.values.sorted { $0.batch < $1.batch } }) { token.endAlone() }
    }

    // MARK: Settings

    /// The maximum number of concurrent loads; at least 1, 3 by default. A lower value takes effect as running loads
    /// end. Keep it under the downloader's ``WebImageDownloaderConfig/maxConnectionsPerHost``: over HTTP/1.1, loads
    /// from the same host wait for a connection.
    public var maxConcurrentPrefetchCount: Int {
        get { state.withLock { $0.machine.limit } }
        set { send(.limited(newValue)) }
    }

    /// The priority of pictures whose request does not have ``WebImageOptions/highPriority``; low by default, which
    /// leaves a slot free for all others. A change takes effect at once, for running loads, too.
    public var priority: LoadPriority {
        get { state.withLock { $0.machine.priority } }
        set { send(.prioritized(newValue)) }
    }

    /// Whether no more loads start; false by default. Running loads continue.
    public var isPaused: Bool {
        get { state.withLock { $0.machine.isPaused } }
        set { send(.paused(newValue)) }
    }

    /// The destination of loads that start later; ``PrefetchDestination/memory`` by default.
    public var destination: PrefetchDestination {
        get { state.withLock { $0.destination } }
        set { state.withLock { $0.destination = newValue } }
    }

    /// The queue of handlers and the delegate, for later calls; the main queue by default.
    public var callbackQueue: CallbackQueue {
        get { state.withLock { $0.callbackQueue } }
        set {
            let callbacks = OrderedCallbacks(newValue)
            // Releases the former value outside of the lock: it may hold the last reference to an object of the app's.
            _ = state.withLock { state in
                defer { (state.callbackQueue, state.callbacks) = (newValue, callbacks) }
                return (state.callbackQueue, state.callbacks)
            }
        }
    }

    /// Notified of all prefetching.
    public var delegate: (any WebImagePrefetcherDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Running calls

    /// The running calls, in their order.
    public var runningTokens: [PrefetchToken] {
        state.withLock { $0.tokens.values.sorted { $0.batch < $1.batch } }
    }

    /// The total progress of all running calls.
    public var progress: PrefetchProgress { state.withLock { $0.machine.totals } }

    /// Cancels all running calls, as ``PrefetchToken/cancel()`` does.
    public func cancelPrefetching() {
        for token in runningTokens { token.cancel() }
    }
}
