import FoundationEssentials
import WebImageCore
import WebImageHTTP

/// URLs with a permanent failure, each for some time.
final class FailedURLs: Sendable {
    private let failures: RecentFailures<String>
    /// Above this number some URLs are forgotten, and requested again.
    private static let largestCount = 10_000

    /// The server may have been mended, but a list that is scrolled must not ask for the same broken picture again and
    /// again.
    static let standardLifetime = Duration.seconds(600)

    /// - Parameter clock: Measures how long ago a URL has failed.
    init(clock: any Clock<Duration>) {
        failures = RecentFailures(clock: clock, timeToLive: Self.standardLifetime, largestCount: Self.largestCount)
    }

    /// How long a failure counts; nil for ever.
    var timeToLive: Duration? {
        get { failures.timeToLive }
        set { failures.timeToLive = newValue }
    }

    /// Why `url` failed; nil when it has not, or long ago.
    subscript(url: URL) -> WebImageError? { failures.error(for: Self.key(url)) }

    func insert(_ url: URL, _ error: WebImageError) { failures.insert(Self.key(url), error) }
    func remove(_ url: URL) { failures.remove(Self.key(url)) }
    func removeAll() { failures.removeAll() }

    private static func key(_ url: URL) -> String { url.withPlainHost.absoluteString.withoutFragment }
}
