import FoundationEssentials
import Synchronization

/// A web server on this machine that sends scripted responses and records its requests.
///
/// ```swift
/// let origin = try LoopbackOrigin()
/// origin.serve("/a.jpg", .picture(jpeg).delayed(by: .milliseconds(50)).limited(toBytesPerSecond: 100_000))
/// origin.serve("/flaky.jpg", .status(503), .picture(jpeg))
/// …load origin.url("/a.jpg")…
/// #expect(origin.requestCount("/a.jpg") == 1)
/// ```
/// It listens on 127.0.0.1 only, at a port that the system chooses, and speaks HTTP/1.1, with TLS on request;
/// libmicrohttpd has no HTTP/2. Each connection has its own thread, so a slow response does not delay another. The
/// origin stops with its last reference; a handler must not hold one. Safe to use from any thread.
public final class LoopbackOrigin: Sendable {
    package typealias Handler = @Sendable (OriginRequest) -> OriginResponse?

    /// The port at 127.0.0.1.
    public let port: Int
    /// Whether the origin speaks HTTPS.
    package let isSecure: Bool

    private let core = OriginCore()
    private let daemon: OriginDaemon

    /// Starts an origin that serves nothing yet.
    ///
    /// - Parameters:
    ///   - tls: Speaks HTTPS, with a certificate for `localhost` and 127.0.0.1 signed by
    ///     ``TestCertificates/authorityPath``.
    ///   - asksForClientCertificate: With HTTPS, requests a client certificate, and serves clients without one, too.
    /// - Throws: When no port or no thread is available.
    public init(tls: Bool = false, asksForClientCertificate: Bool = false) throws {
        daemon = try OriginDaemon(
            core: core,
            identity: tls ? TestCertificates.identity(asksForClientCertificate: asksForClientCertificate) : nil)
        port = daemon.port
        isSecure = tls
    }

    /// Starts an HTTPS origin with another certificate for the server's key, for clients that must refuse it.
    ///
    /// - Parameter certificatePath: A PEM file with the certificate, and those of its issuers behind it.
    package init(certificatePath: String) throws {
        daemon = try OriginDaemon(core: core, identity: TestCertificates.identity(certificatePath: certificatePath))
        port = daemon.port
        isSecure = true
    }

    deinit { stop() }

    /// Closes all connections and joins all threads. Idempotent; blocks for as long as a handler does.
    ///
    /// A handler must not call it, because it would wait for itself.
    public func stop() { daemon.stop() }

    /// The address of a path, which must start with a slash: `http://127.0.0.1:40123/a.jpg`.
    ///
    /// - Parameter host: `127.0.0.1` or `localhost`, for tests that need two hosts.
    public func url(_ target: String = "/", host: String = "127.0.0.1") -> URL {
        guard let url = URL(string: "\(isSecure ? "https" : "http")://\(host):\(port)\(target)") else {
            preconditionFailure("\(target) is not the path of a URL; escape what must be escaped")
        }
        return url
    }
}

// MARK: - What it answers

extension LoopbackOrigin {
    /// Answers requests for `target` with `responses` in turn, and from then on with the last of them.
    ///
    /// - Parameter target: A path as sent, with percent escapes. A target with a query wins over the same path without
    ///   one; a target without a query matches all queries. Without responses, the target is removed.
    public func serve(_ target: String, _ responses: OriginResponse...) {
        core.routes.withLock { $0.set(target, responses: responses) }
    }

    /// Answers requests for `target` with the responses of `handler`.
    public func serve(_ target: String, handler: @escaping @Sendable (OriginRequest) -> OriginResponse?) {
        core.routes.withLock { $0.set(target, handler: handler) }
    }

    /// Answers all other targets; nil, the default, is 404.
    public var fallback: (@Sendable (OriginRequest) -> OriginResponse?)? {
        get { core.routes.withLock { $0.fallback } }
        set { core.routes.withLock { $0.fallback = newValue } }
    }
}

// MARK: - What it saw

extension LoopbackOrigin {
    /// Every request so far, in the order of arrival.
    public var requests: [OriginRequest] { core.log.value.requests }

    /// The number of requests for `target`: a path, which matches all of its queries, or a path with its query.
    public func requestCount(_ target: String) -> Int { requests.count { $0.isFor(target) } }

    /// The number of connections so far.
    package var connectionCount: Int { core.log.value.connectionCount }

    /// Returns once at least `count` requests have come, in total or for `target`.
    ///
    /// - Returns: Those requests, in the order of arrival.
    /// - Throws: `CancellationError` when the waiting task is cancelled, as a test's time limit does.
    @discardableResult
    public func waitForRequests(
        _ count: Int, for target: String? = nil
    ) async throws(CancellationError) -> [OriginRequest] {
        try await waitForRequests { requests in requests.count { $0.isFor(target) } >= count }
            .filter { $0.isFor(target) }
    }

    /// Returns once the requests so far satisfy `condition`, for instance on their number or their endings.
    @discardableResult
    package func waitForRequests(
        until condition: @Sendable ([OriginRequest]) -> Bool
    ) async throws(CancellationError) -> [OriginRequest] {
        try await core.log.wait { condition($0.requests) }.requests
    }
}

extension OriginRequest {
    fileprivate func isFor(_ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return path == wanted || target == wanted
    }
}
