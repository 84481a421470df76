import WebImageCore

/// The times of one exchange that its limits depend on.
struct TransferPatience {
    typealias Instant = SuspendingClock.Instant

    let start: Instant
    /// From the start to the first byte; nil before.
    private(set) var firstByte: Duration?
    /// True from the time of the connection on; before that the idle time is not counted, since libcurl may let the
    /// request wait for a free connection.
    private(set) var isConnected = false
    /// The time of the last byte, or of the connection.
    private(set) var lastActivity: Instant
    /// The beginning of the current window for the speed, and the bytes before it.
    private var window: (start: Instant, byteCount: Int)
    private var byteCount = 0
    private let speed: WebImageDownloaderConfig.MinimumSpeed?

    /// - Parameter patience: The longest time-out of the loads; a window is never shorter, since a server may be silent
    ///   for so long.
    init(speed: WebImageDownloaderConfig.MinimumSpeed?, patience: Duration, now: Instant) {
        self.speed = speed.map { .init(bytesPerSecond: $0.bytesPerSecond, window: max($0.window, patience)) }
        start = now
        lastActivity = now
        window = (now, 0)
    }

    mutating func connectionStood(at now: Instant) {
        isConnected = true
        lastActivity = now
        window = (now, byteCount)
    }

    /// - Parameter byteCount: All bytes received so far.
    mutating func noteActivity(at now: Instant, byteCount: Int) {
        lastActivity = now
        self.byteCount = byteCount
        if firstByte == nil, byteCount > 0 { firstByte = start.duration(to: now) }
    }

    /// Checks the speed when a window is over, and begins the next one. The error of a transfer that is too slow.
    mutating func checkSpeed(at now: Instant) -> WebImageError? {
        guard isConnected, let speed, window.start.duration(to: now) >= speed.window else { return nil }
        let time = window.start.duration(to: now)
        let received = byteCount - window.byteCount
        guard Double(received) < Double(speed.bytesPerSecond) * time.seconds else {
            window = (now, byteCount)
            return nil
        }
        return .tooSlow(received, in: time, limit: speed.bytesPerSecond)
    }

    /// The time until ``checkSpeed(at:)`` has something to check; nil when it never has.
    func timeToSpeedCheck(at now: Instant) -> Duration? {
        guard isConnected, let speed else { return nil }
        return speed.window - window.start.duration(to: now)
    }
}

extension WebImageError {
    fileprivate static func tooSlow(_ byteCount: Int, in time: Duration, limit: Int) -> WebImageError {
        WebImageError(
            .timedOut, stage: .load, kind: .transient,
            reason: "the server sent \(byteCount) bytes in \(time.roundedText), less than minimumSpeed allows "
                + "(\(limit) bytes a second); try again later or lower it")
    }
}

extension Duration {
    /// `30 s`, to a tenth of a second.
    fileprivate var roundedText: String {
        let tenths = Int((seconds * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
