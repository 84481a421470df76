import Synchronization
import WebImageCore

/// One picture whose turn has come: the prefetcher knows it before its load begins, so that it can be cancelled and
/// made more urgent from the first moment.
final class PrefetchLoad: Sendable {
    let job: PrefetchStateMachine.Job
    let destination: PrefetchDestination

    private struct State {
        var priority: LoadPriority
        var task: (any CancellableTask)?
        /// The priority that the task has.
        var appliedPriority: LoadPriority
        var isApplying = false
        var isCancelled = false

        /// The task, if its priority must be set; one thread at a time, so that the last priority set is the latest.
        mutating func beginApplying() -> (any CancellableTask, LoadPriority)? {
            guard let task, !isApplying, appliedPriority != priority else { return nil }
            (isApplying, appliedPriority) = (true, priority)
            return (task, priority)
        }
    }

    private let request: ImageRequest
    private let state: Mutex<State>

    init(
        _ job: PrefetchStateMachine.Job, request: ImageRequest, priority: LoadPriority,
        destination: PrefetchDestination
    ) {
        self.job = job
        self.request = request
        self.destination = destination
        state = Mutex(State(priority: priority, appliedPriority: priority))
    }

    /// The priority; ``applyPriority()`` sets it on the task.
    var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set { state.withLock { $0.priority = newValue } }
    }

    /// Starts by `load`, unless it was cancelled before.
    func start(_ load: (ImageRequest) -> any CancellableTask) {
        let priority = state.withLock { state in
            state.appliedPriority = state.priority
            return state.isCancelled ? nil : state.priority
        }
        guard let priority else { return }
        let task = load(request.prefetched(at: priority))
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() } else { applyPriority() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task.take()
        }
        task?.cancel()
    }

    func applyPriority() {
        while let (task, priority) = state.withLock({ $0.beginApplying() }) {
            task.setPriority(priority)
            state.withLock { $0.isApplying = false }
        }
    }
}

extension ImageRequest {
    /// The same request at the prefetcher's priority, without the preview that nobody would see.
    fileprivate func prefetched(at priority: LoadPriority) -> ImageRequest {
        var copy = self
        copy.context.preview = nil
        copy.options.subtract([.lowPriority, .highPriority])
        switch priority {
        case .low: copy.options.insert(.lowPriority)
        case .normal: break
        case .high, .veryHigh: copy.options.insert(.highPriority)
        }
        return copy
    }
}
