import FoundationEssentials

/// A request to a loader. A loader must use the URL, and may ignore all else.
public struct ImageLoadRequest: Sendable {
    /// The address of the picture.
    public var url: URL
    /// The priority of the load.
    public var priority: LoadPriority
    /// The time without any progress after which the load fails; nil for the loader's default.
    public var timeout: Duration?
    /// Whether the load wants bytes as they arrive, by ``ImageLoadEvent/data(_:)``. A loader that has them only as a
    /// whole may ignore it. Default false.
    public var reportsData = false

    // MARK: The HTTP request

    /// The HTTP method, `GET` by default.
    public var method = "GET"
    /// Header fields to send in addition to the loader's own; they replace those of the same name in upper or lower
    /// case. A request modifier gets all fields that will be sent.
    public var headers: [String: String]
    /// The body of the request; nil, the default, for none.
    public var body: Data?
    /// Sent once the server requests it, only once, and to no other host. By default nil: that of the URL
    /// (`http://user:password@host/`), otherwise the downloader's.
    public var credential: DownloadCredential?
    /// Whether the downloader's cookies are sent and the server's are stored. Default false. A `Cookie` field among
    /// ``headers`` is sent unchanged, and nothing is stored.
    public var usesCookies = false
    /// Whether any certificate of the server is accepted: only for one's own test server, never on the internet.
    /// Default false.
    public var allowsInvalidCertificates = false
    /// The fields of a conditional request: `If-None-Match`, `If-Modified-Since`. If the server has nothing new, the
    /// load ends with ``WebImageError/Code/cacheNotModified``. Fields in ``headers`` replace them.
    public var validators: [String: String] = [:]

    // MARK: Interrupted transfers

    /// The beginning of the body, from a transfer that was interrupted: the server is asked for the rest, and for the whole
    /// body if it has changed. Default nil.
    public var partialBody: PartialBody?
    /// Gets the beginning of the body when the transfer is interrupted or cancelled, where the server would send the rest
    /// later. Called before the end of the load, on the loader's thread, so it must be quick. Default nil.
    public var keepPartialBody: (@Sendable (PartialBody) -> Void)?

    // MARK: Modifiers

    /// Changes the request, instead of the downloader's own modifier.
    public var requestModifier: (any DownloadRequestModifier)?
    /// Changes the response's head, instead of the downloader's own modifier.
    public var responseModifier: (any DownloadResponseModifier)?
    /// Decrypts the body, instead of the downloader's own decryptor.
    public var decryptor: (any DownloadDecryptor)?

    // MARK: The load

    /// The cached picture to be refreshed, for loaders that compare by themselves: they end with
    /// ``WebImageError/Code/cacheNotModified`` when there is nothing new.
    public var cachedImage: Image?
    /// The options of the load, for an app's own loaders. ``WebImageDownloader`` only uses the properties above.
    public var options: WebImageOptions = []
    /// The context of the load, for an app's own loaders.
    public var context = WebImageContext()

    /// A request of normal priority for `url`.
    public init(url: URL, priority: LoadPriority = .normal, headers: [String: String] = [:], timeout: Duration? = nil) {
        self.url = url
        self.priority = priority
        self.headers = headers
        self.timeout = timeout
    }
}
