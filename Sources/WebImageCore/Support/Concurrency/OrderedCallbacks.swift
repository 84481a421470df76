import Dispatch
import Synchronization

/// Runs callbacks on one callback queue, one at a time and in the order in which they were added, even where the queue
/// itself runs some at once and others later, or several at the same time.
package final class OrderedCallbacks: Sendable {
    package typealias Callback = @Sendable () -> Void

    private struct Entry {
        let callback: Callback
    }

    private struct State {
        var pending: [Entry] = []
        var isRunning = false
        var hasWarned = false

        mutating func begin() -> Bool {
            defer { isRunning = true }
            return !isRunning
        }

        /// The next callbacks to run; an empty result ends the run.
        mutating func take() -> [Entry] {
            isRunning = !pending.isEmpty
            return pending.take()
        }
    }

    private let queue: CallbackQueue
    private let state = Mutex(State())

    package init(_ queue: CallbackQueue) { self.queue = queue }

    /// Adds a callback at the end. Calls nothing, so that locks may be held; ``flush()`` does.
    package func add(_ callback: @escaping Callback) {
        state.withLock { $0.pending.append(Entry(callback: callback)) }
    }

    /// Runs all added callbacks; on the main queue where the queue has dropped them.
    package func flush() {
        queue.run {
            self.runPending()
        } dropped: {
            self.warnOnce()
            DispatchQueue.main.async { self.runPending() }
        }
    }

    private func warnOnce() {
        let hasWarned = state.withLock { state in
            defer { state.hasWarned = true }
            return state.hasWarned
        }
        if !hasWarned { WebImageLog.warn("a callback queue is gone; its callbacks run on the main queue") }
    }

    /// A run that is active, perhaps further up on this very stack, also takes callbacks that were added since.
    private func runPending() {
        guard state.withLock({ $0.begin() }) else { return }
        while true {
            let entries = state.withLock { $0.take() }
            guard !entries.isEmpty else { return }
            for entry in entries { entry.callback() }
        }
    }
}

extension Array {
    /// The elements, which are no longer in the array.
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
