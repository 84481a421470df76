import Synchronization

/// Calls back once after a number of steps, on the thread of the last one.
package final class Countdown: Sendable {
    private let remaining: Atomic<Int>
    private let completion: @Sendable () -> Void

    /// - Parameter count: The number of calls of ``step()``; at least one.
    package init(from count: Int, completion: @escaping @Sendable () -> Void) {
        remaining = Atomic(count)
        self.completion = completion
    }

    /// Counts one step. Any thread.
    @Sendable package func step() {
        if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { completion() }
    }
}
