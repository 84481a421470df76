/// The settings of a ``WebImageDownloader``. A change applies to loads that begin after it.
public struct WebImageDownloaderConfig: Sendable, Equatable {
    /// The order of waiting transfers with equal priority.
    public enum ExecutionOrder: Sendable, Hashable {
        /// The first requested one is first.
        case firstInFirstOut
        /// The last requested one is first: the cell that has just scrolled into view.
        case lastInFirstOut
    }

    /// The defaults.
    public init() {}

    /// The most transfers at a time, to all hosts together; at least 1, 6 by default. The others wait by priority.
    /// Transfers of low priority take half of the places. Where there is only one place, a transfer of higher priority
    /// runs beside the one of low priority; and where more transfers have become of low priority while they run, others
    /// still have the other half, so that half as many again may run for a moment.
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

    /// The time without a byte from the server after which a load fails; 15 s by default, and for values that are not
    /// positive. The total time of a body has no limit. ``ImageLoadRequest/timeout`` overrides it.
    public var downloadTimeout = Duration.seconds(15) {
        didSet { downloadTimeout = downloadTimeout > .zero ? downloadTimeout : .seconds(15) }
    }

    /// The time for looking up the host, connecting and, with https, the TLS handshake; 15 s by default, and for values
    /// that are not positive. A shorter ``ImageLoadRequest/timeout`` applies to this, too.
    public var connectTimeout = Duration.seconds(15) {
        didSet { connectTimeout = connectTimeout > .zero ? connectTimeout : .seconds(15) }
    }

    /// The time between two progress reports, up to a second; zero by default: whenever bytes have arrived. The first
    /// and the last report are always delivered, and all reports are while the length is unknown.
    public var minimumProgressInterval = Duration.zero {
        didSet { minimumProgressInterval = min(max(.zero, minimumProgressInterval), .seconds(1)) }
    }

    /// Status codes of a success; 200 to 299 by default, nil for all. 304 is always
    /// ``WebImageError/Code/cacheNotModified``.
    public var acceptableStatusCodes: Set<Int>? = Set(200..<300)

    /// Accepted media types, in lower case (`image/jpeg`); nil, the default, for all. A response without a
    /// `Content-Type` is always accepted.
    public var acceptableContentTypes: Set<String>?

    /// The longest accepted body, in bytes after its content encoding is decoded; 256 MiB by default. A longer one
    /// fails with ``WebImageError/Code/limitExceeded`` as soon as its length is known to be larger.
    public var maximumBodyByteCount = 256 << 20

    /// The most redirects that one load follows; 10 by default. Only http and https are followed, and neither
    /// credentials nor `Authorization` and `Cookie` fields are sent to another host.
    public var maxRedirectCount = 10 {
        didSet { maxRedirectCount = max(0, maxRedirectCount) }
    }

    /// Header fields of every request; `Accept: image/*,*/*;q=0.8` by default. Fields of a request replace them.
    public var headers = ["Accept": "image/*,*/*;q=0.8"]

    /// The `User-Agent` field; empty for none.
    public var userAgent = "WebImage/\(WebImageVersion.current) (Linux)"

    /// The answer to servers that request a user and password, once for each challenge, and only for the requested
    /// host, not for another host after a redirect. Default nil. A load's own credential has precedence, then that of
    /// its URL.
    public var credential: DownloadCredential?

    /// The proxy for all hosts, `http://host:3128` or `socks5h://host:1080`; empty for none. Default nil: the
    /// environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` apply.
    public var proxy: String?

    /// A PEM file of the certificate authorities to verify servers with; nil, the default, uses the system's.
    public var caCertificateFile: String?
}
