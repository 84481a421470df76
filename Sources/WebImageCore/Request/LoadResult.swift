import FoundationEssentials

/// The result of a successful load.
public struct LoadResult: Sendable {
    /// The picture.
    public var image: Image
    /// The file that the picture was decoded from; nil from memory, and for thumbnails, which differ from it.
    public var data: Data?
    /// The tier that the picture came from; `.noCache` is the loader, usually the network.
    public var cacheType: ImageCacheType
    /// The requested address, before redirects.
    public var url: URL
    /// Bytes that were read or transferred for it; 0 from memory.
    public var byteCount: Int
    /// The server's response; nil for everything but HTTP. From a cache only for loads that follow the server
    /// (``HTTPCachePolicy/followsServer``): the stored response, with its age.
    public var http: HTTPResponse?
    /// Whether the picture is from a cache, and the server has just said that it is current. Default false.
    public var isValidated = false
    /// Whether the picture is from a cache, and older than its server allows (``HTTPCachePolicy/followsServer``): it comes
    /// before the server's answer (``LoadEvent/cached(_:)``), or in its place, because the server has failed, the request
    /// accepts it, or the load may not ask. Default false.
    public var isStale = false
    /// The times of the transfer that brought the picture, or in which the server was asked about the cached one; nil where
    /// no server was asked, and from loaders that do not measure them. Loads that share a transfer all have its times.
    public var metrics: TransferMetrics? {
        get { seldomMetrics.value }
        set { seldomMetrics = Rare(newValue) }
    }

    private var seldomMetrics = Rare<TransferMetrics>.none

    /// A result from the tier `cacheType`.
    public init(
        image: Image, data: Data? = nil, cacheType: ImageCacheType, url: URL, byteCount: Int = 0,
        http: HTTPResponse? = nil
    ) {
        self.image = image
        self.data = data
        self.cacheType = cacheType
        self.url = url
        self.byteCount = byteCount
        self.http = http
    }
}
