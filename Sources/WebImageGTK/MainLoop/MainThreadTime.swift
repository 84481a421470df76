import Glibc
import Synchronization

/// The processor time that this library takes on the main thread, for benchmarks; not measured by default.
package nonisolated enum MainThreadTime {
    private static let state = Atomic<Bool>(false)
    private static let spent = Atomic<UInt64>(0)
    /// Nested measurements count once.
    private static let isWithin = Atomic<Bool>(false)

    /// Whether it is measured.
    package static var isMeasured: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }

    /// Nanoseconds since the last call.
    package static func take() -> UInt64 { spent.exchange(0, ordering: .relaxed) }

    /// Runs `work` and adds its time.
    static func measure<Result>(_ work: () throws -> Result) rethrows -> Result {
        guard isMeasured, !isWithin.exchange(true, ordering: .relaxed) else { return try work() }
        let start = threadTime
        defer {
            spent.add(threadTime &- start, ordering: .relaxed)
            isWithin.store(false, ordering: .relaxed)
        }
        return try work()
    }

    /// The processor time of this thread in nanoseconds, independent of the load of the machine.
    package static var threadTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
