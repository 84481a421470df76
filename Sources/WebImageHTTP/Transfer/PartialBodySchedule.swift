/// When the beginning of a body is kept although its transfer goes on, since the program may be killed: each time twice
/// as much has come. So all copies together are no more than twice the body, and at most half of it is lost.
struct PartialBodySchedule {
    typealias Instant = SuspendingClock.Instant

    private let interval: Duration
    private var last: Instant
    private var byteCount = Resumption.leastByteCount / 2

    /// - Parameter interval: The least time between two copies: a body that comes quickly has none.
    init(interval: Duration, now: Instant) {
        self.interval = interval
        last = now
    }

    /// Notes what is kept already.
    mutating func note(_ byteCount: Int) { self.byteCount = max(self.byteCount, byteCount) }

    /// Whether the first `byteCount` bytes are kept now; if so, they count as kept.
    mutating func isDue(_ byteCount: Int, at now: Instant) -> Bool {
        guard byteCount / 2 >= self.byteCount, last.duration(to: now) >= interval else { return false }
        (last, self.byteCount) = (now, byteCount)
        return true
    }
}
