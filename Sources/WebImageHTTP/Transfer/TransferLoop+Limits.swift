import FoundationEssentials
import WebImageCore

// The limits of time of transfers and of the loads that wait for them.
extension TransferLoop {
    /// Ends the transfers that are over a limit of time, and the loads whose timeout has passed. libcurl's own limits
    /// count whole seconds, and have one value for each transfer instead of each load.
    func endImpatient() {
        let now = clock.now
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            if let error = overdue(transfer, http, at: now) {
                end(transfer, http.fail(error))
            } else if http.patience.isConnected {
                endIdle(transfer, http, at: now)
            }
        }
    }

    private func overdue(
        _ transfer: SharedTransfer, _ http: HTTPTransfer, at now: SuspendingClock.Instant
    ) -> WebImageError? {
        if let limit = config.totalTimeout, transfer.start.duration(to: now) >= limit { return .tookTooLong(limit) }
        return http.checkSpeed(at: now) ?? http.endlessChallenge
    }

    private func endIdle(_ transfer: SharedTransfer, _ http: HTTPTransfer, at now: SuspendingClock.Instant) {
        let idle = idleTime(of: http, at: now)
        let impatient = transfer.removeImpatient(idleFor: idle, default: config.downloadTimeout)
        guard !impatient.isEmpty else { return }
        let (isBody, metrics) = (http.hasHead, metricsSoFar(of: transfer))
        if transfer.isAbandoned { giveUp(transfer, after: impatient) }
        for task in impatient {
            let timeout = task.timeout(default: config.downloadTimeout)
            task.finish(.failure(.nothingCame(for: timeout, inBody: isBody).with(metrics)))
        }
    }

    /// The time without a byte. What the downloader does not read for its limit of bytes is not the server's silence.
    private func idleTime(of http: HTTPTransfer, at now: SuspendingClock.Instant) -> Duration {
        max(http.patience.lastActivity, bandwidth.readableSince).duration(to: now)
    }

    /// The time until the next timeout, or until a transfer without a connection is checked.
    var longestSleep: Duration {
        let now = clock.now
        var longest = Duration.seconds(60)
        if waiting.highestPriority != nil, !isSuspended, let time = starts.timeToToken(at: now) { longest = time }
        for transfer in running.values {
            guard let http = transfer.http else { continue }
            if let limit = config.totalTimeout {
                longest = min(longest, limit - transfer.start.duration(to: now))
            }
            guard http.patience.isConnected else {
                // libcurl 7.88 may fail to wake a request that waits for a connection when other waiting requests are
                // removed: it continues with the next call of libcurl.
                longest = min(longest, .milliseconds(100))
                continue
            }
            longest = min(
                longest, transfer.leastPatience(default: config.downloadTimeout) - idleTime(of: http, at: now))
            if let check = http.patience.timeToSpeedCheck(at: now) { longest = min(longest, check) }
        }
        return longest
    }
}
