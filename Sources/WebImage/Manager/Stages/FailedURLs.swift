import FoundationEssentials
import Synchronization

/// URLs with a permanent failure, each for some time.
final class FailedURLs: Sendable {
    private struct Failure: Sendable {
        let error: WebImageError
        /// The time of the failure, by ``uptime``.
        let time: Duration
    }

    private let failures = Mutex<[String: Failure]>([:])
    private let lifetime = Mutex<Duration?>(standardLifetime)
    private let uptime: @Sendable () -> Duration
    private let isEmpty = Atomic(true)
    /// Above this number some URLs are forgotten, and requested again.
    private static let largestCount = 10_000

    /// The server may have been mended, but a list that is scrolled must not ask for the same broken picture again and
    /// again.
    static let standardLifetime = Duration.seconds(600)

    /// - Parameter clock: Measures how long ago a URL has failed.
    init(clock: any Clock<Duration>) { uptime = clock.stopwatch() }

    /// How long a failure counts; nil for ever.
    var timeToLive: Duration? {
        get { lifetime.withLock { $0 } }
        set { lifetime.withLock { $0 = newValue } }
    }

    /// Why `url` failed; nil when it has not, or long ago.
    subscript(url: URL) -> WebImageError? {
        // Nearly always there is none, and hashing a URL takes time.
        guard !isEmpty.load(ordering: .relaxed) else { return nil }
        let key = Self.key(url)
        guard let failure = failures.withLock({ $0[key] }) else { return nil }
        guard let timeToLive, uptime() - failure.time >= timeToLive else { return failure.error }
        remove(url)
        return nil
    }

    // An error may retain objects of the app: it is released outside the lock.
    func remove(_ url: URL) { _ = change { $0.removeValue(forKey: Self.key(url)) } }
    func removeAll() { _ = change { exchange(&$0, with: [:]) } }

    func insert(_ url: URL, _ error: WebImageError) {
        let (time, key) = (uptime(), Self.key(url))
        _ = change { failures in
            let isFull = failures.count >= Self.largestCount && failures[key] == nil
            let forgotten = isFull ? failures.remove(at: failures.startIndex).value : nil
            var error = error
            // Old responses are not needed, and ten thousand of them take much memory.
            error.response = nil
            return (forgotten, failures.updateValue(Failure(error: error, time: time), forKey: key))
        }
    }

    private static func key(_ url: URL) -> String { url.withPlainHost.absoluteString.withoutFragment }

    private func change<Result: Sendable>(_ change: (inout [String: Failure]) -> Result) -> Result {
        failures.withLock { failures in
            defer { isEmpty.store(failures.isEmpty, ordering: .relaxed) }
            return change(&failures)
        }
    }
}

extension Clock where Duration == Swift.Duration {
    /// The time since this call, by the clock.
    fileprivate func stopwatch() -> @Sendable () -> Swift.Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
