import WebImage
import WebImageCommandLine

/// The times of a transfer, for JSON; in milliseconds.
struct TransferRecord: Encodable, Sendable {
    let queued: Double?
    let lookup: Double?
    let connect: Double?
    let tls: Double?
    let firstByte: Double?
    let total: Double
    let reused: Bool?
    let `protocol`: String?
    let address: String?
    let redirects: Int?
    /// The bytes of the body as they were sent.
    let sent: Int?

    init(_ metrics: TransferMetrics) {
        queued = metrics.queued?.milliseconds
        lookup = metrics.domainLookup?.milliseconds
        connect = metrics.connect?.milliseconds
        tls = metrics.secureConnection?.milliseconds
        firstByte = metrics.firstByte?.milliseconds
        total = metrics.total.milliseconds
        reused = metrics.isReusedConnection
        `protocol` = metrics.networkProtocolName
        address = metrics.remoteAddress
        redirects = metrics.redirectCount > 0 ? metrics.redirectCount : nil
        sent = metrics.bodyByteCount
    }
}

/// The parts of a transfer until its first byte, for the bar of a waterfall.
struct TransferParts: Sendable {
    /// The end of each part, counted from the beginning of the load, and the character that fills it.
    let marks: [(end: Duration, character: Character)]
    /// `h2, connect 1.2 ms, TLS 8.1 ms`.
    let text: String

    init(_ metrics: TransferMetrics) {
        var (marks, end) = ([(Duration, Character)](), Duration.zero)
        let parts: [(Duration?, Character)] = [
            (metrics.queued, "·"), (metrics.domainLookup, "▁"), (metrics.connect, "▂"), (metrics.secureConnection, "▃"),
        ]
        for case (let duration?, let character) in parts {
            end += duration
            marks.append((end, character))
        }
        self.marks = marks
        text = Self.text(metrics)
    }

    private static func text(_ metrics: TransferMetrics) -> String {
        let times: [(String, Duration?)] = [
            ("look-up", metrics.domainLookup), ("connect", metrics.connect), ("TLS", metrics.secureConnection),
        ]
        let parts = times.compactMap { name, time in time.map { "\(name) \(Quantity.duration($0))" } }
        let words =
            [metrics.networkProtocolName, metrics.isReusedConnection == true ? "reused" : nil].compactMap(\.self)
            + parts
        return words.joined(separator: ", ")
    }

    /// The character at `time` of the wait.
    func character(at time: Duration) -> Character { marks.first { time < $0.end }?.character ?? "░" }
}
