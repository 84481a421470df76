import WebImageCore

/// The settings of a ``WebImageDownloader``. A change applies to loads that begin after it.
public struct WebImageDownloaderConfig: Sendable, Equatable {
    /// The order of waiting transfers with equal priority.
    public enum ExecutionOrder: Sendable, Hashable {
        /// The first requested one is first.
        case firstInFirstOut
        /// The last requested one is first: the cell that has just scrolled into view.
        case lastInFirstOut
    }

    /// The slowest transfer that is not given up.
    public struct MinimumSpeed: Sendable, Hashable {
        /// Bytes a second, on average over the window.
        public var bytesPerSecond: Int
        /// The time over which the speed is measured; where a load's time-out is longer, that time.
        public var window: Duration

        /// `bytesPerSecond` over `window`; by default 100 bytes over 30 s.
        public init(bytesPerSecond: Int = 100, window: Duration = .seconds(30)) {
            self.bytesPerSecond = bytesPerSecond
            self.window = window
        }
    }

    /// The redirects from https to http that are followed.
    public enum InsecureRedirects: Sendable, Hashable {
        /// None.
        case never
        /// Those of loads without a credential, without cookies and without an `Authorization` field.
        case withoutCredentials
        /// All.
        case always
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

    /// Connections to all hosts together at a time, unused ones included, which are closed to make room; at least 1, nil, the
    /// default, for any number. A transfer that has to wait for a connection counts among
    /// ``maxConcurrentDownloads``.
    public var maxTotalConnections: Int? {
        didSet { maxTotalConnections = maxTotalConnections.map { max(1, $0) } }
    }

    /// The order of transfers that wait with equal priority; first in, first out by default.
    public var executionOrder = ExecutionOrder.firstInFirstOut

    /// The time without a byte from the server after which a load fails; 15 s by default, and for values that are not
    /// positive. Interim responses (`103 Early Hints`) do not count as bytes. ``ImageLoadRequest/timeout`` overrides it.
    public var downloadTimeout = Duration.seconds(15) {
        didSet { downloadTimeout = downloadTimeout > .zero ? downloadTimeout : .seconds(15) }
    }

    /// The time for looking up the host, connecting and, with https, the TLS handshake; 15 s by default, and for values
    /// that are not positive. A shorter ``ImageLoadRequest/timeout`` applies to this, too.
    public var connectTimeout = Duration.seconds(15) {
        didSet { connectTimeout = connectTimeout > .zero ? connectTimeout : .seconds(15) }
    }

    /// The slowest transfer that is not given up; nil for no limit, by default 100 bytes a second over 30 s. A slower one
    /// fails with ``WebImageError/Code/timedOut``.
    public var minimumSpeed: MinimumSpeed? = MinimumSpeed()

    /// The time for a whole transfer, from its start, with redirects and with the time for connections, but without the
    /// time in the downloader's queue; an hour by default, nil for no limit. A longer one fails with
    /// ``WebImageError/Code/timedOut``.
    public var totalTimeout: Duration? = .seconds(3600)

    /// The time between two progress reports, up to a second; zero by default: whenever bytes have arrived. The first
    /// and the last report are always delivered, and all reports are while the length is unknown. Bytes for partial
    /// pictures come with the reports.
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

    /// The most that a compressed body (`Content-Encoding`) may grow, as a multiple of its bytes on the wire; 100 by
    /// default, at least 1, nil for no limit. 128 KiB more than have arrived count as sent, so that small bodies may grow
    /// more. A body that grows more fails with ``WebImageError/Code/limitExceeded``.
    public var maximumExpansionRatio: Int? = 100 {
        didSet { maximumExpansionRatio = maximumExpansionRatio.map { max(1, $0) } }
    }

    /// The most redirects that one load follows; 10 by default. Only http and https are followed, and neither
    /// credentials nor `Authorization` and `Cookie` fields are sent to another server: another scheme, host or port.
    public var maxRedirectCount = 10 {
        didSet { maxRedirectCount = max(0, maxRedirectCount) }
    }

    /// Whether redirects from https to http are followed; by default only for loads without credentials. A redirect that
    /// is not followed fails with ``WebImageError/Code/secureConnectionFailed`` and the kind `policy`.
    public var insecureRedirects = InsecureRedirects.withoutCredentials

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

    /// A file with the cookies of loads that use them (``WebImageOptions/handleCookies``), in Netscape's format, which curl
    /// and browsers' extensions write: read when the first such load begins, and written, on top of what other processes have
    /// written, before each of them ends that has changed a cookie. One that does not exist is made, for the user alone; one of
    /// something else, and a symbolic link, is an error. nil, the default, keeps cookies in memory. Later changes have no
    /// effect.
    public var cookieFile: String?

    /// A file with the hosts that are asked by https only, in curl's format. Such a host has said so in an answer over https
    /// (`Strict-Transport-Security`, RFC 6797); from then on, an address of it that begins with `http:` is asked by https,
    /// whether an app, a redirect or a cache names it. The file is read when the first load begins, and written before the
    /// load ends that has changed it; several processes may share it. One that does not exist is made, for the user alone;
    /// one of something else, and a symbolic link, is an error. nil, the default, keeps the hosts in memory. Later changes
    /// have no effect.
    ///
    /// Neither IP addresses nor loads that accept any certificate
    /// (``WebImageOptions/allowInvalidSSLCertificates``) add hosts. At most 10,000 hosts are kept.
    public var hstsFile: String?

    /// A PEM file of the certificate authorities to verify servers with; nil, the default, uses the system's.
    public var caCertificateFile: String?

    // MARK: For servers, and for servers with keys

    /// Whether hosts are refused whose addresses do not belong to the internet: this machine, private networks, links,
    /// and with them the metadata services of clouds, also where such an address is written as one of IPv6. For servers
    /// that load the addresses of strangers. Default false.
    ///
    /// The address is checked after the look-up of the host, for each connection, and for each request over a connection
    /// that is there, redirects included; a load that is refused fails with ``WebImageError/Code/accessDenied`` and the
    /// kind `policy`. A proxy looks hosts up by itself, so that its own address is what is checked: set ``proxy`` to the
    /// empty text. A ``DownloadOperation`` has to check addresses by itself.
    public var deniesPrivateAddresses = false

    /// Public keys that servers must have, by host, in whichever spelling: each `sha256//` and the key's hash in base64
    /// (libcurl's CURLOPT_PINNEDPUBLICKEY, RFC 7469 §2.4). A server with another key fails with
    /// ``WebImageError/Code/secureConnectionFailed``, whichever authority has signed its certificate. Default none.
    public var pinnedPublicKeys: [String: Set<String>] = [:]

    /// Certificates of the client, by host, in whichever spelling, for servers that request one. Default none.
    public var clientCertificates: [String: ClientCertificate] = [:]

    /// A certificate and its key, in PEM files.
    public struct ClientCertificate: Sendable, Hashable {
        /// The path of the certificate, with those of its issuers behind it.
        public var certificateFile: String
        /// The path of the private key; that of the certificate where one file has both.
        public var keyFile: String
        /// The password of the key; nil for none.
        public var keyPassword: String?

        /// A certificate with its key.
        public init(certificateFile: String, keyFile: String, keyPassword: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }

    /// The most bytes a second of all transfers together, on average; nil, the default, for no limit. A
    /// ``DownloadOperation`` is not limited.
    public var maximumBytesPerSecond: Int? {
        didSet { maximumBytesPerSecond = maximumBytesPerSecond.map { max(1, $0) } }
    }

    /// The least time between two copies of a body that is coming; see ``PartialBodySchedule``.
    package var partialBodyInterval = Duration.seconds(1)

    /// Whether all requests over plain http are of HTTP/2, without asking the server (RFC 9113 §3.3); for tests, whose
    /// servers then need no TLS.
    package var assumesHTTP2 = false

    /// How many transfers may begin in a time; nil, the default, for any number.
    public var startLimit: StartLimit?

    /// A limit for the beginnings of transfers, as a bucket of tokens: `burst` at once, and `perSecond` in each second
    /// after that.
    public struct StartLimit: Sendable, Hashable {
        /// Tokens that are added in a second; above 0.
        public var perSecond: Double
        /// The most tokens; at least 1.
        public var burst: Int

        /// By default, as for a list that is scrolled fast: 80 a second, 25 at once.
        public init(perSecond: Double = 80, burst: Int = 25) {
            self.perSecond = max(perSecond, 0.001)
            self.burst = max(1, burst)
        }
    }
}
