/// How a ``WebImageDownloader`` works. A change takes effect for loads that begin after it.
public struct WebImageDownloaderConfig: Sendable, Hashable {
    /// Which of the transfers that wait with equal priority comes first.
    public enum ExecutionOrder: Sendable, Hashable {
        /// The one that was asked for first.
        case firstInFirstOut
        /// The one that was asked for last: the cell that has just scrolled into view.
        case lastInFirstOut
    }

    /// The defaults.
    public init() {}

    /// Transfers under way at a time, to all hosts together; at least 1, 6 by default. The others wait by priority. Those
    /// of low priority leave one place free for the others; where there is one place only, a more urgent transfer runs
    /// beside the one of low priority.
    public var maxConcurrentDownloads = 6 {
        didSet { maxConcurrentDownloads = max(1, maxConcurrentDownloads) }
    }

    /// HTTP/1.1 connections to one host at a time; at least 1, 6 by default. Over HTTP/2 the transfers from one host share
    /// a connection.
    public var maxConnectionsPerHost = 6 {
        didSet { maxConnectionsPerHost = max(1, maxConnectionsPerHost) }
    }

    /// The order of transfers that wait with equal priority; first in, first out by default.
    public var executionOrder = ExecutionOrder.firstInFirstOut

    /// Seconds without a byte from the server after which a load fails; 15 by default, and for values that are not
    /// positive. A body that keeps coming may take as long as it likes. ``ImageLoadRequest/timeout`` overrides it.
    public var downloadTimeout = 15.0 {
        didSet { downloadTimeout = downloadTimeout > 0 ? downloadTimeout : 15 }
    }

    /// Seconds for looking the host up, connecting and, with https, agreeing on keys; 15 by default, and for values that
    /// are not positive. A shorter ``ImageLoadRequest/timeout`` holds for this too.
    public var connectTimeout = 15.0 {
        didSet { connectTimeout = connectTimeout > 0 ? connectTimeout : 15 }
    }

    /// Seconds between two reports of progress, 0 to 1; 0 by default: whenever bytes have come. The first and the last
    /// report always come, and all do while the length is unknown.
    public var minimumProgressInterval = 0.0 {
        didSet { minimumProgressInterval = min(max(0, minimumProgressInterval), 1) }
    }

    /// Status codes that are a success; 200 to 299 by default, nil for all. 304 is always
    /// ``WebImageError/Code/cacheNotModified``.
    public var acceptableStatusCodes: Set<Int>? = Set(200..<300)

    /// Media types that are accepted, in lower case (`image/jpeg`); nil, the default, for all. An answer without a
    /// `Content-Type` is accepted always.
    public var acceptableContentTypes: Set<String>?

    /// The longest body accepted, in bytes after its content encoding is undone; 256 MiB by default. A longer one fails
    /// with ``WebImageError/Code/limitExceeded`` as soon as it is known to be longer.
    public var maximumBodyByteCount = 256 << 20

    /// Redirects followed by one load; 10 by default. Only http and https are followed, and neither credentials nor
    /// `Authorization` and `Cookie` fields are sent to another host.
    public var maxRedirectCount = 10 {
        didSet { maxRedirectCount = max(0, maxRedirectCount) }
    }

    /// Header fields sent with every request; `Accept: image/*,*/*;q=0.8` by default. Fields of a request replace them.
    public var headers = ["Accept": "image/*,*/*;q=0.8"]

    /// The `User-Agent` field; empty for none.
    public var userAgent = "WebImage/\(WebImageVersion.current) (Linux)"

    /// What servers that ask for a user are told, once for each challenge, and only the host that was asked, not another
    /// that it redirects to; nil, the default, takes ``username`` and ``password``. A load's own credential goes first,
    /// then that of its URL.
    public var urlCredential: DownloadCredential?

    /// The user's name, where there is no ``urlCredential``; counts only together with ``password``. Default nil.
    public var username: String?

    /// The password that goes with ``username``. Default nil.
    public var password: String?

    /// The proxy for all hosts, `http://host:3128` or `socks5h://host:1080`; empty for none. By default nil: the
    /// environment decides by `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    public var proxy: String?

    /// A PEM file of the certificate authorities that servers are checked against; nil, the default, takes the system's.
    public var caCertificateFile: String?
}

extension WebImageDownloaderConfig {
    var credential: DownloadCredential? {
        if let urlCredential { return urlCredential }
        guard let username, let password else { return nil }
        return DownloadCredential(user: username, password: password)
    }
}
