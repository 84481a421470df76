import Synchronization

/// Counts down to the last of several operations.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) { left = Atomic(count) }

    /// One operation has ended; true for the last.
    func step() -> Bool { left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
