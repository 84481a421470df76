import CLinux
import Glibc
import Synchronization

/// Measures how long a thread works on something, so cheaply that a loop over rows can ask. Started and asked by one thread;
/// any other may stop it.
///
/// The processor's time counts and not the clock's, since a thread may wait long for a busy machine. Asking for it is a
/// call of the system: it is made only once the coarse clock, which costs nothing, says that there was time enough.
final class Stopwatch: Sendable {
    private let start = Atomic(Stopwatch.now(CLOCK_MONOTONIC_COARSE))
    private let workStart = Atomic(Stopwatch.now(CLOCK_THREAD_CPUTIME_ID))
    private let isRunning = Atomic(true)

    /// Whether this thread has worked for longer than `limit` seconds since the start.
    func hasRun(longerThan limit: Double) -> Bool {
        guard isRunning.load(ordering: .relaxed) else { return false }
        let elapsed = Self.now(CLOCK_MONOTONIC_COARSE) - start.load(ordering: .relaxed)
        guard Double(elapsed) > limit * 1e9 else { return false }
        return Double(Self.now(CLOCK_THREAD_CPUTIME_ID) - workStart.load(ordering: .relaxed)) > limit * 1e9
    }

    /// Begins anew, on this thread.
    func restart() {
        start.store(Self.now(CLOCK_MONOTONIC_COARSE), ordering: .relaxed)
        workStart.store(Self.now(CLOCK_THREAD_CPUTIME_ID), ordering: .relaxed)
        isRunning.store(true, ordering: .relaxed)
    }

    /// No time passes any more: whoever keeps the options for later works without a limit.
    func stop() { isRunning.store(false, ordering: .relaxed) }

    private static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
