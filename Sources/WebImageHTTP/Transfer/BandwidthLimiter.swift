/// Spreads the bytes of all transfers over time: after each reading, the thread pauses for as long as the bytes should
/// have taken.
///
/// Not CURLOPT_MAX_RECV_SPEED_LARGE, which counts for each transfer, and lets bodies of a few hundred kilobytes pass.
struct BandwidthLimiter {
    typealias Instant = SuspendingClock.Instant

    private let bytesPerSecond: Int?
    /// When the bytes so far are paid for.
    private(set) var readableSince: Instant

    init(_ bytesPerSecond: Int?, now: Instant) {
        self.bytesPerSecond = bytesPerSecond
        readableSince = now
    }

    mutating func note(_ byteCount: Int, at now: Instant) {
        guard let bytesPerSecond, byteCount > 0 else { return }
        readableSince = max(readableSince, now).advanced(by: .seconds(Double(byteCount) / Double(bytesPerSecond)))
    }

    /// The time in which nothing may be read; nil when something may.
    func pause(at now: Instant) -> Duration? {
        guard bytesPerSecond != nil, readableSince > now else { return nil }
        return now.duration(to: readableSince)
    }
}
