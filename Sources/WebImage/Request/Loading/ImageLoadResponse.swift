import FoundationEssentials

/// What a loader got.
public struct ImageLoadResponse: Sendable {
    /// The whole body, decoded from its transfer and content encodings.
    public var data: Data {
        didSet { fingerprint = nil }
    }
    /// The server's answer; nil for loads that are not HTTP.
    public var http: HTTPResponse?

    /// Of the body; nil until somebody needs it.
    private(set) var fingerprint: FileFingerprint?
    /// What loads that share this very answer have made of it; nil for an answer that nobody shares.
    var sharedResults: SharedResults?

    /// The same answer with its fingerprint, which takes a while to make.
    var fingerprinted: ImageLoadResponse {
        guard fingerprint == nil else { return self }
        var copy = self
        copy.fingerprint = FileFingerprint(data)
        return copy
    }

    /// The same answer for several loads, which need not decode it more than once.
    var sharedByMany: ImageLoadResponse {
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
