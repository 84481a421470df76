import FoundationEssentials

/// The response of a loader.
public struct ImageLoadResponse: Sendable {
    /// The whole body, decoded from its transfer and content encodings.
    public var data: Data {
        didSet { fingerprint = nil }
    }
    /// The server's response; nil for loads that are not HTTP.
    public var http: HTTPResponse?
    /// The times of the transfer; nil for loaders that do not measure them.
    public var metrics: TransferMetrics? {
        get { seldomMetrics.value }
        set { seldomMetrics = Rare(newValue) }
    }

    private var seldomMetrics = Rare<TransferMetrics>.none

    /// The file of this machine that the bytes are from; nil for all other loads.
    package var file: FileRevision?
    /// The request as it was sent; nil for loaders that do not tell.
    package var sent: SentRequest?
    /// The head, as caches keep it; nil for loads that are not HTTP.
    package var record: HTTPRecord?
    /// The places in which the server allows to keep it.
    package var keeping = ImageOrigin.Keeping.anywhere
    /// Whether what caches have of the address is older.
    package var replacesStored = true

    /// Of the body; nil until it is needed.
    package private(set) var fingerprint: FileFingerprint?
    /// The results of loads that share this response; nil for a response that is not shared.
    package var sharedResults: SharedResults?

    /// The same response with its fingerprint, which takes some time to compute.
    package var fingerprinted: ImageLoadResponse {
        guard fingerprint == nil else { return self }
        var copy = self
        copy.fingerprint = FileFingerprint(data)
        return copy
    }

    /// The same response for several loads, which then share decodes.
    package var sharedByMany: ImageLoadResponse {
        var copy = fingerprinted
        copy.sharedResults = SharedResults()
        return copy
    }

    /// A response of `data`.
    public init(data: Data, http: HTTPResponse? = nil) {
        self.data = data
        self.http = http
    }
}

extension Result<ImageLoadResponse, WebImageError> {
    /// The times of the transfer, whether it has succeeded or failed.
    package var metrics: TransferMetrics? {
        switch self {
        case .success(let response): response.metrics
        case .failure(let error): error.metrics
        }
    }
}
