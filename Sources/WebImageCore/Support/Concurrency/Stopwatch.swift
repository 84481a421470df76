import CLinux
import Glibc
import Synchronization

/// Measures how long a thread works, cheaply enough for a check in each row. One thread starts and reads it; any other
/// may stop it.
///
/// It measures the processor's time and not the clock's, since a thread may wait long on a busy machine. Reading that
/// time is a system call: it is made only once the coarse clock, which costs nothing, shows that enough time has
/// passed.
package final class Stopwatch: Sendable {
    private let start = Atomic(Stopwatch.now(CLOCK_MONOTONIC_COARSE))
    private let workStart = Atomic(Stopwatch.now(CLOCK_THREAD_CPUTIME_ID))
    private let isRunning = Atomic(true)

    package init() {}

    /// Whether this thread has worked for longer than `limit` since the start.
    func hasRun(longerThan limit: Duration) -> Bool {
        guard isRunning.load(ordering: .relaxed) else { return false }
        let elapsed = Self.now(CLOCK_MONOTONIC_COARSE) - start.load(ordering: .relaxed)
        guard .nanoseconds(elapsed) > limit else { return false }
        return .nanoseconds(Self.now(CLOCK_THREAD_CPUTIME_ID) - workStart.load(ordering: .relaxed)) > limit
    }

    /// Starts again, on this thread.
    package func restart() {
        start.store(Self.now(CLOCK_MONOTONIC_COARSE), ordering: .relaxed)
        workStart.store(Self.now(CLOCK_THREAD_CPUTIME_ID), ordering: .relaxed)
        isRunning.store(true, ordering: .relaxed)
    }

    /// Stops measuring: later work with the same options has no time limit.
    package func stop() { isRunning.store(false, ordering: .relaxed) }

    private static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
