import FoundationEssentials
import Synchronization
import WebImageCore

/// A running load: the handle to cancel it, to change its priority or to listen to it.
///
/// It ends exactly once, with a picture, a failure or a cancellation. The app does not need to retain it: the manager
/// does while the load runs.
public final class LoadOperation: CancellableTask {
    /// The requested address; nil without one, or for text that is no address.
    public let url: URL?

    struct State {
        var machine = DeliveryStateMachine()
        /// The source of the picture, while the load waits for it; nil while the load is held.
        var source: LoadSource?
        var priority: LoadPriority
        var callbacks: LoadCallbacks
        /// Whether a thread delivers: one at a time, so that all events are in order.
        var isTelling = false
        var background: (any CancellableTask)?
        /// The events that were told, for listeners that join late.
        var told = LatestEvents()
        var listeners: [LoadEventMailbox] = []
        /// The latest progress, while a thread still delivers the one before.
        var untold: LoadProgress?
        /// Whether a thread delivers progress.
        var isReporting = false
        /// Whether the end waits for that thread.
        var endingWaits = false
    }

    private let noted = AtomicLazyReference<LoadTrace>()
    let callbackQueue: CallbackQueue
    let shared: SharedStages
    let state: Mutex<State>
    /// The address that is loaded, where interceptors have replaced the one in the request.
    private let address: URL?
    private let wasCancelled = Atomic(false)

    /// The load of `request`, after the interceptors.
    ///
    /// - Parameter trace: Has noted the start of the load.
    init(_ request: ImageRequest, callbacks: LoadCallbacks, trace: LoadTrace?, shared: SharedStages) {
        url = callbacks.requestedURL ?? request.url
        address = request.url
        self.shared = shared
        callbackQueue = callbacks.queue(for: request)
        state = Mutex(State(priority: callbacks.priority ?? request.options.priority, callbacks: callbacks))
        if let trace { setTrace(trace) }
    }

    /// A load whose end was delivered before the load was created: it has no work to do.
    init(_ request: ImageRequest, callbacks: LoadCallbacks, told ending: LoadEnding, shared: SharedStages) {
        url = callbacks.requestedURL ?? request.url
        address = nil
        self.shared = shared
        callbackQueue = .current
        state = Mutex(
            State(
                machine: .ended, priority: request.options.priority, callbacks: LoadCallbacks(),
                told: LatestEvents(ending)))
    }

    /// nil without listeners, and before the load has begun.
    var trace: LoadTrace? { noted.load() }

    func setTrace(_ trace: LoadTrace) { _ = noted.storeIfNil(trace) }

    var priority: LoadPriority { state.withLock { $0.priority } }

    /// Whether the load has not ended.
    var isOpen: Bool { state.withLock { $0.machine.isOpen } }

    /// Whether the end was delivered.
    var isOver: Bool { state.withLock { $0.machine.isEnded } }

    /// Whether the load was cancelled before it ended in another way.
    public var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    /// Ends the load: no picture of it is delivered once this returns, unless the callback has already begun on another
    /// thread. The completion gets ``WebImageError/Code/cancelled`` on its queue: before this returns where the queue
    /// allows that, and no progress is being delivered. Idempotent; any thread.
    public func cancel() { handle(.cancelled(address)) }

    /// Lets the load continue without callbacks, for its effect on the caches. No callback begins once this returns,
    /// but one may already run on another thread.
    package func detach() {
        let former = state.withLock { state in
            defer { state.callbacks.silence() }
            return state.callbacks
        }
        // Closures of the caller, therefore released outside the lock.
        withExtendedLifetime(former) {}
    }

    /// Changes the priority of the current stage and of later ones. Any thread.
    public func setPriority(_ priority: LoadPriority) {
        state.withLock { $0.priority = priority }
        state.tellPriority {
            ($0.source, $0.priority)
        } tell: {
            $0?.setPriority($1)
        }
    }

    /// The events of the load, for any number of listeners; the load continues without listeners.
    public var events: some AsyncSequence<LoadEvent, WebImageError> & Sendable {
        LoadEvents(operation: self, ownership: nil)
    }
}

// MARK: - Events

extension LoadOperation {
    func receive(_ update: LoadEvent) { handle(.updated(update)) }

    func finish(_ ending: LoadEnding) { handle(.ended(ending)) }

    private func handle(_ event: DeliveryStateMachine.Event) {
        switch state.withLock({ $0.machine.handle(event) }) {
        case .nothing: break
        case .deliver: deliver()
        case .stop:
            wasCancelled.store(true, ordering: .relaxed)
            let source = state.withLock { $0.source.take() }
            source?.leave()
            trace?.stop()
            deliver()
        }
    }

    /// Notes the source of the picture; a load that was cancelled before leaves it at once.
    ///
    /// - Returns: Whether it waits.
    @discardableResult
    func wait(for source: LoadSource) -> Bool {
        let isWaiting = state.withLock { state in
            if state.machine.isOpen { state.source = source }
            return state.machine.isOpen
        }
        if !isWaiting { source.leave() }
        return isWaiting
    }

    /// Leaves the source, unless the load has received most bytes.
    ///
    /// - Returns: Whether it can begin again.
    func takeBack() -> Bool {
        let (source, background) = state.withLock { state in
            guard state.machine.isOpen, !state.told.hasMostBytes, let source = state.source else {
                return (nil, nil) as (LoadSource?, (any CancellableTask)?)
            }
            state.source = nil
            state.told.removeTransfer()
            return (source, state.background.take())
        }
        guard let source else { return false }
        source.leave()
        background?.cancel()
        trace?.stop()
        return true
    }

    /// Requests time in the background for as long as the load runs.
    func continueInBackground(by provider: any BackgroundTaskProvider) {
        let background = provider.beginTask { [weak self] in self?.cancel() }
        let isRunning = state.withLock { state in
            if state.machine.isOpen { state.background = background }
            return state.machine.isOpen
        }
        if !isRunning { background.cancel() }
    }
}

extension LatestEvents {
    /// Whether half of the bytes have been received, or any where their number is unknown.
    fileprivate var hasMostBytes: Bool {
        guard let progress, progress.receivedByteCount > 0 else { return false }
        return progress.fractionCompleted.map { $0 >= 0.5 } ?? true
    }
}
