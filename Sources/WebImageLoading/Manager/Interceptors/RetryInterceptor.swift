import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// Retries loads after a transient failure: no network, a time-out, a busy server.
///
/// ```swift
/// manager.interceptors.append(RetryInterceptor(attempts: 3))
/// ```
/// A server that says when to come back (`Retry-After`) is not asked earlier. A load that fails because the machine has no
/// network begins again as soon as the network is back, which is no attempt. Other failures, such as most of the 4xx
/// statuses, end a load at once.
public struct RetryInterceptor: LoadInterceptor {
    /// The most loads, including the first; at least 1.
    package let attempts: Int
    /// The delay before the attempt of that number; 2 is the first retry.
    package let delay: @Sendable (_ attempt: Int) -> Duration
    /// No attempt begins later, counted from the beginning of the load.
    package let timeLimit: Duration
    private let network: (any NetworkMonitor)?
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - attempts: The most loads, including the first; 3 by default.
    ///   - timeLimit: The time from the beginning of the load after which no attempt begins, also when a server says that
    ///     it would be of use only then; 45 seconds by default. Pauses count as inactivity of the interceptor: see
    ///     ``WebImageManager/interceptorTimeout``.
    ///   - network: Tells when the network is back; nil for pauses alone. The default does so in apps with views.
    ///   - delay: The delay before attempt 2, 3 and so on; by default ``jittered``.
    public init(
        attempts: Int = 3, timeLimit: Duration = .seconds(45),
        network: (any NetworkMonitor)? = SystemNetworkMonitor.shared,
        delay: @escaping @Sendable (_ attempt: Int) -> Duration = jittered
    ) {
        self.init(attempts: attempts, timeLimit: timeLimit, network: network, delay: delay, clock: ContinuousClock())
    }

    package init(
        attempts: Int, timeLimit: Duration = .seconds(45), network: (any NetworkMonitor)? = nil,
        delay: @escaping @Sendable (_ attempt: Int) -> Duration, clock: any Clock<Duration>
    ) {
        self.attempts = max(1, attempts)
        self.timeLimit = timeLimit
        self.network = network
        self.delay = delay
        self.clock = clock
    }

    /// Half a second before the second attempt, twice as long before each later one, 8 seconds at most.
    public static let doubling: @Sendable (_ attempt: Int) -> Duration = { attempt in
        .milliseconds(500 << min(max(0, attempt - 2), 4))
    }

    /// A random part of ``doubling`` ("full jitter"), so that many clients of a server that was down do not come back all
    /// at once.
    public static let jittered: @Sendable (_ attempt: Int) -> Duration = { attempt in
        doubling(attempt) * Double.random(in: 0...1)
    }

    /// Takes the load over.
    public func intercept(_ request: ImageRequest) -> LoadInterception {
        guard attempts > 1 else { return .proceed(request) }
        return .around { chain throws(WebImageError) in try await load(chain, by: clock) }
    }

    private func load<C: Clock<Duration>>(_ chain: LoadChain, by clock: C) async throws(WebImageError) -> LoadResult {
        let deadline = clock.now.advanced(by: timeLimit)
        var attempt = 1
        while true {
            do throws(WebImageError) {
                return try await chain.proceed()
            } catch {
                guard let next = await pause(after: error, attempt, until: deadline, by: clock) else { throw error }
                attempt = next
            }
        }
    }

    /// Waits until the load may begin again. The number of the next attempt; nil when there is none.
    private func pause<C: Clock<Duration>>(
        after error: WebImageError, _ attempt: Int, until deadline: C.Instant, by clock: C
    ) async -> Int? {
        guard error.kind == .transient else { return nil }
        if let network, error.blamesNetwork, !network.isAvailable {
            let isBack = await wait(for: network, until: deadline, by: clock)
            return isBack ? attempt : nil
        }
        guard attempt < attempts else { return nil }
        let end = clock.now.advanced(by: max(delay(attempt + 1), error.retryAfter ?? .zero))
        guard end <= deadline else { return nil }
        if let network, error.blamesNetwork {
            _ = await wait(for: network, until: end, by: clock)
            return Task.isCancelled ? nil : attempt + 1
        }
        return (try? await clock.sleep(until: end, tolerance: nil)) == nil ? nil : attempt + 1
    }

    /// Whether the network has come back before `end`.
    private func wait<C: Clock<Duration>>(
        for network: any NetworkMonitor, until end: C.Instant, by clock: C
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await network.waitForReturn()
                return !Task.isCancelled
            }
            group.addTask {
                try? await clock.sleep(until: end, tolerance: nil)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }
}

extension WebImageError {
    /// Whether the network of this machine may be the reason.
    fileprivate var blamesNetwork: Bool {
        guard [.cannotFindHost, .cannotConnect, .connectionLost, .timedOut].contains(code), statusCode == nil else {
            return false
        }
        // This machine is there without any network.
        guard let host = url?.host().map(HostSpelling.of) else { return false }
        return host != "localhost" && host != "::1" && !host.hasPrefix("127.")
    }

    /// The time that the server asks to wait (RFC 9110 §10.2.3), in seconds or until a date.
    fileprivate var retryAfter: Duration? {
        guard let field = response?.header("retry-after") else { return nil }
        let text = Substring(field).utf8.trimmingBlanks
        if let seconds = DeltaSeconds(text) { return .seconds(seconds.value) }
        let now = response?.header("date").flatMap { HTTPDate($0, now: Date())?.date } ?? Date()
        let date = HTTPDate(String(Substring(text)), now: now)?.date
        return date.map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}
