/// The times of a transfer, and how it was made.
///
/// Times are those of the transfer itself, without its wait in the downloader's queue (``queued``). Where redirects were
/// followed, each is the sum of all requests, and the connection is that of the last one. What did not happen, or is not
/// known, is nil: a request over a connection that is there has no look-up. Those of a transfer that has failed or was
/// cancelled go as far as that went.
public struct TransferMetrics: Sendable, Hashable {
    /// The wait for a free place among the downloader's transfers.
    public var queued: Duration?
    /// Looking up the host's address.
    public var domainLookup: Duration?
    /// Connecting to the host, or to a proxy.
    public var connect: Duration?
    /// The TLS handshake.
    public var secureConnection: Duration?
    /// From the beginning to the first byte of the last response.
    public var firstByte: Duration?
    /// From the beginning to the last byte, or to the failure.
    public var total: Duration
    /// Whether the connection was there already; nil when not known, and without a connection.
    public var isReusedConnection: Bool?
    /// The protocol's name, as in ALPN (RFC 7301): `http/1.1`, `h2`.
    public var networkProtocolName: String?
    /// The address of the server, or of a proxy, with numbers: `127.0.0.1`.
    public var remoteAddress: String?
    /// The bytes of the last response's body as they were sent, with their content encoding.
    public var bodyByteCount: Int?
    /// The redirects that were followed.
    public var redirectCount = 0

    /// The times of a transfer that took `total`.
    public init(total: Duration) { self.total = total }
}

extension TransferMetrics {
    /// The note of a cache for the time that the response took (``HTTPRecord/delay``); nil for one too short to count among
    /// whole seconds.
    package var delayNote: String? { total >= .milliseconds(100) ? "\(total.seconds)" : nil }

    /// The times of both, one after the other; the second one's connection.
    package func followed(by next: TransferMetrics) -> TransferMetrics {
        var sum = next
        sum.queued = queued
        sum.domainLookup = Self.sum(domainLookup, next.domainLookup)
        sum.connect = Self.sum(connect, next.connect)
        sum.secureConnection = Self.sum(secureConnection, next.secureConnection)
        sum.firstByte = next.firstByte.map { total + $0 }
        sum.total = total + next.total
        return sum
    }

    private static func sum(_ first: Duration?, _ second: Duration?) -> Duration? {
        guard let first, let second else { return first ?? second }
        return first + second
    }
}
