import Synchronization
import WebImageCore

/// The keys that have failed, each for some time: a list that is scrolled must not bring the same failure about again
/// and again.
final class RecentFailures<Key: Hashable & Sendable>: Sendable {
    private struct Failure: Sendable {
        let error: WebImageError
        /// The time of the failure, by ``uptime``.
        let time: Duration
    }

    private let failures = Mutex<[Key: Failure]>([:])
    private let lifetime: Mutex<Duration?>
    private let uptime: @Sendable () -> Duration
    private let isEmpty = Atomic(true)
    private let largestCount: Int

    /// - Parameters:
    ///   - clock: Measures how long ago something has failed.
    ///   - timeToLive: See ``timeToLive``.
    ///   - largestCount: Above it some failures are forgotten, and may come again.
    init(clock: any Clock<Duration>, timeToLive: Duration?, largestCount: Int) {
        uptime = clock.stopwatch()
        lifetime = Mutex(timeToLive)
        self.largestCount = largestCount
    }

    /// How long a failure counts; nil for ever.
    var timeToLive: Duration? {
        get { lifetime.withLock { $0 } }
        set { lifetime.withLock { $0 = newValue } }
    }

    /// Why it failed; nil when it has not, or long ago.
    ///
    /// - Parameter key: Not asked for where nothing has failed, as nearly always.
    func error(for key: @autoclosure () -> Key) -> WebImageError? {
        guard !isEmpty.load(ordering: .relaxed) else { return nil }
        let key = key()
        guard let failure = failures.withLock({ $0[key] }) else { return nil }
        guard let timeToLive, uptime() - failure.time >= timeToLive else { return failure.error }
        remove(key)
        return nil
    }

    // An error may retain objects of the app: it is released outside the lock.
    func remove(_ key: Key) { _ = change { $0.removeValue(forKey: key) } }
    func removeAll() { _ = change { exchange(&$0, with: [:]) } }

    func removeAll(where isWanted: @Sendable (WebImageError) -> Bool) {
        _ = change { failures in
            let removed = failures.filter { isWanted($0.value.error) }
            for key in removed.keys { failures[key] = nil }
            return removed
        }
    }

    func insert(_ key: Key, _ error: WebImageError) {
        let time = uptime()
        _ = change { failures in
            let isFull = failures.count >= largestCount && failures[key] == nil
            let forgotten = isFull ? failures.remove(at: failures.startIndex).value : nil
            var error = error
            // Old responses are not needed, and ten thousand of them take much memory.
            error.response = nil
            return (forgotten, failures.updateValue(Failure(error: error, time: time), forKey: key))
        }
    }

    private func change<Result: Sendable>(_ change: (inout [Key: Failure]) -> Result) -> Result {
        failures.withLock { failures in
            defer { isEmpty.store(failures.isEmpty, ordering: .relaxed) }
            return change(&failures)
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// The time since this call, by the clock.
    func stopwatch() -> @Sendable () -> Swift.Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
