import Synchronization

/// Time that passes when a test says so.
final class StepClock: Sendable {
    private let passed = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
    func pass(_ time: Duration) { passed.withLock { $0 += time } }
}
