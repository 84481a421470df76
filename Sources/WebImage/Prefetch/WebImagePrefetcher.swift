import FoundationEssentials
import Synchronization

/// Loads pictures ahead of their time, a few at once and less urgently than all others.
///
/// ```swift
/// let token = WebImagePrefetcher.shared.prefetch(urls, completed: nil)
/// let result = await WebImagePrefetcher.shared.prefetch(urls)
/// ```
/// A load that somebody waits for never waits for it: it takes few places, leaves one free in the downloader and in the
/// decoder, and a load of a picture that is being prefetched joins it and makes it urgent. Several calls run beside each
/// other and share the places, in the order in which they came. Nobody needs to keep a prefetcher while it works; one
/// that is let go while it is paused cancels what waits. Safe to use from any thread.
public final class WebImagePrefetcher: Sendable {
    /// A prefetcher with a manager of its own over the default cache and loader: its failed URLs and its cancellations are
    /// not those of ``WebImageManager/shared``.
    public static let shared = WebImagePrefetcher(manager: WebImageManager())

    /// What loads the pictures.
    public let manager: WebImageManager

    let state = Mutex(State())

    /// A prefetcher that loads by `manager`.
    public init(manager: WebImageManager) { self.manager = manager }

    deinit {
        for token in state.withLock({ $0.tokens.values.sorted { $0.batch < $1.batch } }) { token.endAsCancelled() }
    }

    // MARK: Settings

    /// Pictures under way at a time; at least 1, 3 by default. A lower one takes effect as those under way end. Keep it
    /// under the downloader's ``WebImageDownloaderConfig/maxConnectionsPerHost``: over HTTP/1.1, loads from the same host
    /// wait for a connection.
    public var maxConcurrentPrefetchCount: Int {
        get { state.withLock { $0.machine.limit } }
        set { send(.limited(newValue)) }
    }

    /// How urgent pictures are whose request does not say ``WebImageOptions/highPriority``; low by default, which
    /// leaves a place free for all others. A change takes effect at once on what waits and on what is under way.
    public var priority: LoadPriority {
        get { state.withLock { $0.machine.priority } }
        set { send(.prioritized(newValue)) }
    }

    /// Whether nothing new begins; false by default. What is under way goes on.
    public var isPaused: Bool {
        get { state.withLock { $0.machine.isPaused } }
        set { send(.paused(newValue)) }
    }

    /// How far pictures are brought that begin from now on; ``PrefetchDestination/memory`` by default.
    public var destination: PrefetchDestination {
        get { state.withLock { $0.destination } }
        set { state.withLock { $0.destination = newValue } }
    }

    /// Where handlers and the delegate are called, for calls from now on; the main queue by default.
    public var callbackQueue: CallbackQueue {
        get { state.withLock { $0.callbackQueue } }
        set {
            let callbacks = OrderedCallbacks(newValue)
            // What is replaced is let go outside the lock: it may be the last to hold something of the app's.
            _ = state.withLock { state in
                defer { (state.callbackQueue, state.callbacks) = (newValue, callbacks) }
                return (state.callbackQueue, state.callbacks)
            }
        }
    }

    /// Hears of everything that is prefetched.
    public var delegate: (any WebImagePrefetcherDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    // MARK: Calls under way

    /// The calls under way, in the order in which they came.
    public var runningTokens: [PrefetchToken] {
        state.withLock { $0.tokens.values.sorted { $0.batch < $1.batch } }
    }

    /// How far all calls under way have come together.
    public var progress: PrefetchProgress { state.withLock { $0.machine.totals } }

    /// Cancels all calls under way, as ``PrefetchToken/cancel()`` does.
    public func cancelPrefetching() {
        for token in runningTokens { token.cancel() }
    }
}
