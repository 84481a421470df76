import FoundationEssentials
import Synchronization

/// One load under way: what a caller holds to cancel it, to change its priority or to listen to it.
///
/// It ends exactly once, by a picture, a failure or a cancellation. Nobody needs to keep it: the manager does while the
/// load runs.
public final class LoadOperation: CancellableTask {
    /// The address that was asked for; nil where there was none, or text that is no address.
    public let url: URL?

    struct State {
        var machine = DeliveryStateMachine()
        /// Where the picture comes from, while it is waited for.
        var source: LoadSource?
        var priority: LoadPriority
        var callbacks: LoadCallbacks
        /// One thread tells at a time, so that everything is told in order.
        var isTelling = false
        var background: (any CancellableTask)?
        var news = LoadNews()
    }

    let trace: LoadTrace?
    let callbackQueue: CallbackQueue
    let shared: SharedStages
    let state: Mutex<State>
    /// The address that is loaded, where interceptors have put another one into the request.
    private let address: URL?
    private let wasCancelled = Atomic(false)

    /// The load of `request`, which interceptors have seen.
    ///
    /// - Parameter trace: Knows that the load has begun.
    init(_ request: ImageRequest, callbacks: LoadCallbacks, trace: LoadTrace?, shared: SharedStages) {
        url = callbacks.requestedURL ?? request.url
        address = request.url
        self.trace = trace
        self.shared = shared
        callbackQueue = callbacks.queue(for: request)
        state = Mutex(State(priority: request.options.priority, callbacks: callbacks))
    }

    /// A load whose end the caller was told before it is there: nobody waits for anything.
    init(_ request: ImageRequest, callbacks: LoadCallbacks, told ending: LoadEnding, shared: SharedStages) {
        url = callbacks.requestedURL ?? request.url
        address = nil
        trace = nil
        self.shared = shared
        callbackQueue = .current
        state = Mutex(
            State(
                machine: .ended, priority: request.options.priority, callbacks: LoadCallbacks(),
                news: LoadNews(ending)))
    }

    var priority: LoadPriority { state.withLock { $0.priority } }

    /// Whether nothing has ended it yet.
    var isOpen: Bool { state.withLock { $0.machine.isOpen } }

    /// Whether the end was told.
    var isOver: Bool { state.withLock { $0.machine.isEnded } }

    /// Whether the load was cancelled before it ended in another way.
    public var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    /// Ends the load: no picture of it is delivered once this returns, unless the callback that delivers it has begun on
    /// another thread; the completion gets ``WebImageError/Code/cancelled`` on its queue, at once where the queue allows
    /// and no progress is just being told. Idempotent; any thread.
    public func cancel() { handle(.cancelled(address)) }

    /// Lets the load go on with nobody who is told of it, for what it leaves in the caches. Nothing is called once this
    /// returns, but for what has begun on another thread.
    func detach() {
        let former = state.withLock { state in
            defer { state.callbacks.silence() }
            return state.callbacks
        }
        // The caller's own, so let go outside the lock.
        withExtendedLifetime(former) {}
    }

    /// Changes how urgently the picture is wanted, for the stage under way and those to come. Any thread.
    public func setPriority(_ priority: LoadPriority) {
        state.withLock { $0.priority = priority }
        // Again when another thread has changed it meanwhile: the last one told must be the last one set.
        var told: LoadPriority?
        while let (source, wanted) = state.withLock({ $0.priority == told ? nil : ($0.source, $0.priority) }) {
            source?.setPriority(wanted)
            told = wanted
        }
    }

    /// What the load tells, for any number of listeners; leaving does not end the load.
    public var events: LoadEvents { LoadEvents(operation: self, ownership: nil) }
}

// MARK: - What happens to it

extension LoadOperation {
    func receive(_ update: LoadUpdate) { handle(.updated(update)) }

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

    /// Takes note of where the picture will come from; a load that was cancelled before leaves at once.
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

    /// Asks for time in the background, for as long as the load runs.
    func continueInBackground(by provider: any BackgroundTaskProvider) {
        let background = provider.beginTask { [weak self] in self?.cancel() }
        let isRunning = state.withLock { state in
            if state.machine.isOpen { state.background = background }
            return state.machine.isOpen
        }
        if !isRunning { background.cancel() }
    }
}
