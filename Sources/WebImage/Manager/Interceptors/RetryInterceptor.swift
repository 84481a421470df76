/// Retries loads after a transient failure: no network, a time-out, a busy server.
///
/// ```swift
/// manager.interceptors.append(RetryInterceptor(attempts: 3))
/// ```
public struct RetryInterceptor: LoadInterceptor {
    /// The most loads, including the first; at least 1.
    package let attempts: Int
    /// The delay before the attempt of that number; 2 is the first retry.
    package let delay: @Sendable (_ attempt: Int) -> Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - attempts: The most loads, including the first; 3 by default.
    ///   - delay: The delay before attempt 2, 3 and so on; by default half a second, doubled each time, up to 8
    ///     seconds. The time counts as inactivity of the interceptor: see ``WebImageManager/interceptorTimeout``.
    public init(attempts: Int = 3, delay: @escaping @Sendable (_ attempt: Int) -> Duration = doubling) {
        self.init(attempts: attempts, delay: delay, clock: ContinuousClock())
    }

    package init(attempts: Int, delay: @escaping @Sendable (_ attempt: Int) -> Duration, clock: any Clock<Duration>) {
        self.attempts = max(1, attempts)
        self.delay = delay
        self.clock = clock
    }

    /// Half a second before the second attempt, twice as long before each later one, 8 seconds at most.
    public static let doubling: @Sendable (_ attempt: Int) -> Duration = { attempt in
        .milliseconds(500 << min(max(0, attempt - 2), 4))
    }

    /// Takes the load over.
    public func intercept(_ request: ImageRequest) -> LoadInterception {
        guard attempts > 1 else { return .proceed(request) }
        return .around { chain throws(WebImageError) in try await load(chain, attempt: 1) }
    }

    private func load(_ chain: LoadChain, attempt: Int) async throws(WebImageError) -> LoadResult {
        do {
            return try await chain.proceed()
        } catch {
            guard error.kind == .transient, attempt < attempts,
                (try? await clock.sleep(for: delay(attempt + 1))) != nil
            else { throw error }
            return try await load(chain, attempt: attempt + 1)
        }
    }
}
