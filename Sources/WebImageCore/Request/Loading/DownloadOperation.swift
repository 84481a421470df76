import FoundationEssentials

/// Brings the responses of a ``WebImageDownloader``, in place of libcurl: by another HTTP client, or from an archive.
///
/// The downloader keeps everything that loads rely on: its queue and its limits, shared transfers, modifiers,
/// credentials' hosts, redirects, the acceptance of responses, time-outs, progress, and exactly one end. An operation
/// performs one exchange at a time for it. Set it as ``WebImageDownloader/downloadOperation``.
public protocol DownloadOperation: Sendable {
    /// Begins the exchange for `request`.
    ///
    /// Called on the downloader's thread, so it must be quick, and must not wait for other loads of the downloader.
    ///
    /// - Parameter receive: Gets the response: its head, then its body in any number of pieces, then the end, exactly
    ///   once. Any thread, one event at a time, also before this method returns; what follows the end, or a
    ///   cancellation, has no effect.
    /// - Returns: The task to cancel the exchange, and to change its priority. It is cancelled when no load waits for
    ///   it any more, or when the downloader refuses the response; its end is not waited for.
    func start(
        _ request: DownloadRequest, receive: @escaping @Sendable (DownloadOperationEvent) -> Void
    ) -> any CancellableTask
}

/// The complete request of one exchange, as a ``DownloadOperation`` must send it.
public struct DownloadRequest: Sendable {
    /// The address, of http or https, without user and password.
    public var url: URL
    /// The HTTP method.
    public var method: String
    /// All header fields; none need be added.
    public var headers: [String: String]
    /// The body; nil for none.
    public var body: Data?
    /// Sent only when the server requests it, and only once for each challenge; nil for none.
    public var credential: DownloadCredential?
    /// Whether cookies are sent and stored.
    public var usesCookies: Bool
    /// Whether any certificate of the server is accepted.
    public var allowsInvalidCertificates: Bool
    /// The highest priority of the loads that wait for the response.
    public var priority: LoadPriority
    /// The time without an event after which the downloader gives the exchange up, for clients with a limit of their
    /// own.
    public var timeout: Duration

    package init(
        url: URL, method: String, headers: [String: String], body: Data?, credential: DownloadCredential?,
        usesCookies: Bool, allowsInvalidCertificates: Bool, priority: LoadPriority, timeout: Duration
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.credential = credential
        self.usesCookies = usesCookies
        self.allowsInvalidCertificates = allowsInvalidCertificates
        self.priority = priority
        self.timeout = timeout
    }
}

/// An event of a ``DownloadOperation``.
public enum DownloadOperationEvent: Sendable {
    /// The head of the response, with the length of the body, where that was announced and is not the length of an
    /// encoded body. Redirects are responses, too: the downloader follows them, by another exchange. An operation that
    /// follows them by itself gives the last response, with its URL.
    case response(HTTPResponse, expectedByteCount: Int? = nil)
    /// The next bytes of the body, decoded from their transfer and content encodings.
    case data(Data)
    /// The times of the exchange, before its end; without this event, the downloader measures what it can.
    case metrics(TransferMetrics)
    /// The end: nil when the response is complete.
    case finished(WebImageError? = nil)
}
