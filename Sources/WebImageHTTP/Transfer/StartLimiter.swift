import WebImageCore

/// Counts the beginnings of transfers by a bucket of tokens.
struct StartLimiter {
    typealias Instant = SuspendingClock.Instant

    private(set) var limit: WebImageDownloaderConfig.StartLimit?
    private var tokens: Double
    private var lastTime: Instant

    init(_ limit: WebImageDownloaderConfig.StartLimit?, now: Instant) {
        self.limit = limit
        tokens = Double(limit?.burst ?? 0)
        lastTime = now
    }

    /// Takes a token; false when there is none.
    mutating func take(at now: Instant) -> Bool {
        guard let limit else { return true }
        tokens = min(Double(limit.burst), tokens + lastTime.duration(to: now).seconds * limit.perSecond)
        lastTime = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The time until there is a token again; nil when one is there.
    func timeToToken(at now: Instant) -> Duration? {
        guard let limit else { return nil }
        let missing = 1 - tokens - lastTime.duration(to: now).seconds * limit.perSecond
        return missing > 0 ? .seconds(missing / limit.perSecond) : nil
    }
}
