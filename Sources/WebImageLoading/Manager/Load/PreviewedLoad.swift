import FoundationEssentials
import Synchronization
import WebImageCore

/// The two loads of one with a preview: performs the actions of ``PreviewStateMachine``.
final class PreviewedLoad: CancellableTask {
    typealias Picture = PreviewStateMachine.Picture
    typealias Start = @Sendable (ImageRequest, LoadCallbacks) -> LoadOperation

    private struct State {
        var machine = PreviewStateMachine()
        var loads: [Picture: LoadOperation] = [:]
        /// The priority that was set since the beginning.
        var priority: LoadPriority?
    }

    /// The load of the caller; the manager retains it while it runs.
    private weak let whole: LoadOperation?
    private let startLoad: Start
    private let state = Mutex(State())
    /// Two threads may bring a picture each: what the machine has decided first is told first.
    private let telling = OrderedCallbacks(.current)

    init(of whole: LoadOperation, start: @escaping Start) {
        self.whole = whole
        startLoad = start
    }

    /// Loads one of the pictures, unless it is not needed any more.
    ///
    /// - Parameter callbacks: Those of the caller's load, for the address that was asked for.
    func start(_ picture: Picture, _ request: ImageRequest, _ callbacks: LoadCallbacks) {
        guard state.withLock({ $0.machine.awaits(picture) }) else { return }
        let load = startLoad(request, picture == .small ? ofSmall() : ofLarge(callbacks))
        let (isAwaited, priority) = state.withLock { state in
            let isAwaited = state.machine.awaits(picture)
            if isAwaited { state.loads[picture] = load }
            return (isAwaited, state.priority)
        }
        guard isAwaited else { return load.cancel() }
        if let priority { load.setPriority(priority) }
    }

    /// At once: what another thread is telling meanwhile must not hold it up, and nothing more is told.
    func cancel() {
        for action in state.withLock({ $0.machine.handle(.cancelled) }) { perform(action) }
    }

    func setPriority(_ priority: LoadPriority) {
        let loads = state.withLock { state in
            state.priority = priority
            return Array(state.loads.values)
        }
        for load in loads { load.setPriority(priority) }
    }

    private func ofSmall() -> LoadCallbacks {
        LoadCallbacks(
            queue: .current, priority: whole?.priority, completed: { self.handle(.smallEnded($0)) },
            parent: whole?.trace?.load)
    }

    private func ofLarge(_ callbacks: LoadCallbacks) -> LoadCallbacks {
        LoadCallbacks(
            queue: .current, priority: whole?.priority, progress: { [weak whole] in whole?.report($0) },
            received: { self.handle(.updated($0)) }, completed: { self.handle(.largeEnded(LoadEnding($0))) },
            requestedURL: callbacks.requestedURL, parent: whole?.trace?.load)
    }

    private func handle(_ event: PreviewStateMachine.Event) {
        state.withLock { state in
            for action in state.machine.handle(event) { telling.add { self.perform(action) } }
        }
        telling.flush()
    }

    private func perform(_ action: PreviewStateMachine.Action) {
        switch action {
        case .cancel(let picture): state.withLock { $0.loads.removeValue(forKey: picture) }?.cancel()
        case .tell(let update): whole?.receive(update)
        case .finish(let ending):
            // They have ended, and hold this object.
            let loads = state.withLock { $0.loads.take() }
            withExtendedLifetime(loads) {}
            whole?.finish(ending)
        }
    }
}

extension Dictionary {
    /// The elements, which are no longer in the dictionary.
    fileprivate mutating func take() -> Self {
        defer { self = [:] }
        return self
    }
}
