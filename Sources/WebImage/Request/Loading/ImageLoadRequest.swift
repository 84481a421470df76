import FoundationEssentials

/// What a loader is asked to get. All but the URL are wishes that a loader may have no use for.
public struct ImageLoadRequest: Sendable {
    /// Where the picture is.
    public var url: URL
    /// How urgently it is wanted.
    public var priority: LoadPriority
    /// Seconds without any progress after which the load fails; nil takes the loader's default.
    public var timeout: Double?
    /// Whether the bytes are wanted as they come, by ``ImageLoadEvent/data(_:)``. A loader that has them only as a whole
    /// may leave that out. Default false.
    public var reportsData = false

    // MARK: What a server is asked

    /// The HTTP method, `GET` by default.
    public var method = "GET"
    /// Header fields to send beside the loader's own, which those of the same name replace, in whatever case. A request
    /// modifier sees all that will be sent.
    public var headers: [String: String]
    /// The body of the request; nil, the default, for none.
    public var body: Data?
    /// Sent after the server has asked for it, once, and to no other host. By default nil: that of the URL
    /// (`http://user:password@host/`), otherwise the downloader's.
    public var credential: DownloadCredential?
    /// Whether the downloader's cookies are sent and the server's are kept. Default false. A `Cookie` field among
    /// ``headers`` goes out as it is, and nothing is kept.
    public var usesCookies = false
    /// Whether a server is believed whatever its certificate says: one's own test server, never one on the internet.
    /// Default false.
    public var allowsInvalidCertificates = false
    /// The fields that ask for the picture only if it has changed: `If-None-Match`, `If-Modified-Since`. A server that
    /// has nothing new ends the load with ``WebImageError/Code/cacheNotModified``. Those among ``headers`` replace them.
    public var validators: [String: String] = [:]

    // MARK: Who has a say

    /// Changes the request, in place of the downloader's own modifier.
    public var requestModifier: (any DownloadRequestModifier)?
    /// Changes the answer's head, in place of the downloader's own modifier.
    public var responseModifier: (any DownloadResponseModifier)?
    /// Decrypts the body, in place of the downloader's own decryptor.
    public var decryptor: (any DownloadDecryptor)?

    // MARK: Who asks

    /// The picture in the cache that the load is to refresh, for loaders that compare by themselves: they end with
    /// ``WebImageError/Code/cacheNotModified`` when there is nothing new.
    public var cachedImage: Image?
    /// The options of the load that asks, for loaders of the app's own. What ``WebImageDownloader`` minds of them
    /// stands in the properties above.
    public var options: WebImageOptions = []
    /// The context of the load that asks, for loaders of the app's own.
    public var context = WebImageContext()

    /// A request of normal priority for `url`.
    public init(url: URL, priority: LoadPriority = .normal, headers: [String: String] = [:], timeout: Double? = nil) {
        self.url = url
        self.priority = priority
        self.headers = headers
        self.timeout = timeout
    }
}
