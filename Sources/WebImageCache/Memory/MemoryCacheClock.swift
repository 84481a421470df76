/// The clock of a memory cache: nanoseconds since the cache was created.
struct MemoryCacheClock: Sendable {
    private let elapsed: @Sendable () -> Duration

    init<Time: Clock>(_ clock: Time) where Time.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    var now: Int { Self.nanoseconds(elapsed()) }

    /// The end of a lifetime that begins at `now`; `MemoryEntry.never` for nil and for lifetimes beyond the range of
    /// the clock.
    static func deadline(_ lifetime: Duration?, after now: Int) -> Int {
        guard let lifetime else { return MemoryEntry.never }
        let (sum, isOver) = now.addingReportingOverflow(nanoseconds(lifetime))
        return isOver ? MemoryEntry.never : sum
    }

    private static func nanoseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        let (whole, isOver) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverToo) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return isOver || isOverToo ? (seconds < 0 ? .min : .max) : sum
    }
}
