import Synchronization

/// Calls back once when a number of things have happened, on the thread where the last one did.
final class Countdown: Sendable {
    private let remaining: Atomic<Int>
    private let completion: @Sendable () -> Void

    /// - Parameter count: How often ``step()`` will be called; at least once.
    init(from count: Int, completion: @escaping @Sendable () -> Void) {
        remaining = Atomic(count)
        self.completion = completion
    }

    /// One of them has happened. Any thread.
    @Sendable func step() {
        if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { completion() }
    }
}
