import Synchronization

/// Cancels a task that may not have begun yet: for cancellation handlers, which can run before the work they stop.
package final class DeferredCancellation: CancellableTask {
    private enum State {
        case waiting
        case attached(any CancellableTask)
        case cancelled
    }

    private let state = Mutex(State.waiting)

    package init() {}

    /// Sets the task to cancel; it is cancelled at once when ``cancel()`` was called before.
    package func attach(_ task: any CancellableTask) {
        let isLate = state.withLock { state in
            if case .cancelled = state { return true }
            state = .attached(task)
            return false
        }
        if isLate { task.cancel() }
    }

    package func cancel() {
        let task: (any CancellableTask)? = state.withLock { state in
            defer { state = .cancelled }
            guard case .attached(let task) = state else { return nil }
            return task
        }
        task?.cancel()
    }
}
