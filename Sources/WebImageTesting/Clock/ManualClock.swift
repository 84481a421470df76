/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let fade = Task { try await clock.sleep(for: .milliseconds(850)); return "faded" }
/// try await clock.waitForSleepers(1)
/// clock.advance(by: .milliseconds(850))
/// ```
/// Safe to use from any thread.
package final class ManualClock: Clock {
    /// A moment on a manual clock.
    package struct Instant: InstantProtocol {
        /// The time since the clock was made.
        package var offset: Duration

        /// The moment `offset` after the clock was made.
        package init(offset: Duration = .zero) { self.offset = offset }

        /// The moment `duration` later.
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time from here to `other`.
        package func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Earlier moments come first.
        package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct Sleeper: Sendable {
        let number: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var nextNumber = 0

        /// Removes a sleeper whose deadline is `limit` at most: the earliest deadline first, then the first to sleep.
        mutating func takeSleeper(until limit: Instant) -> Sleeper? {
            let earliest = sleepers.indices.min {
                (sleepers[$0].deadline, sleepers[$0].number) < (sleepers[$1].deadline, sleepers[$1].number)
            }
            guard let earliest, sleepers[earliest].deadline <= limit else { return nil }
            now = max(now, sleepers[earliest].deadline)
            return sleepers.remove(at: earliest)
        }
    }

    private let state = Observed(State())

    /// A clock at zero.
    package init() {}

    /// The time that the test has set.
    package var now: Instant { state.value.now }

    /// Zero: a manual clock is exact.
    package var minimumResolution: Duration { .zero }

    /// The number of tasks that sleep by this clock.
    package var sleeperCount: Int { state.value.sleepers.count }

    /// Sleeps until the test has moved the clock to `deadline`. The tolerance is ignored.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, at once.
    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.update { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let sleeper = Sleeper(number: number, deadline: deadline, continuation: continuation)
                let result: Result<Void, any Error>? = state.update { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(sleeper)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let cancelled = state.update { state in
                state.sleepers.firstIndex { $0.number == number }.map { state.sleepers.remove(at: $0) }
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock forward and wakes all tasks whose deadline has come, in the order of their deadlines.
    ///
    /// A woken task reads ``now`` at its deadline or later; sleeps that begin meanwhile start at the new time.
    package func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Moves the clock forward to `instant`; a clock never goes back.
    package func advance(to instant: Instant) {
        while let sleeper = state.update({ $0.takeSleeper(until: instant) }) { sleeper.continuation.resume() }
        state.update { $0.now = max($0.now, instant) }
    }

    /// Returns once at least `count` tasks sleep by this clock, so that it can be moved.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    package func waitForSleepers(_ count: Int) async throws(CancellationError) {
        try await state.wait { $0.sleepers.count >= count }
    }
}
