import FoundationEssentials
import WebImageCore

/// The request of one exchange: the load's own, or that of a redirect.
struct OutgoingRequest: Sendable {
    /// Without user and password.
    var url: URL
    /// ``url`` as it is sent.
    var address: String
    var method: String
    /// All fields, as they are sent.
    var headers: [String: String]
    var body: Data?
    /// The answer to a challenge of the server.
    var credential: DownloadCredential?

    /// The beginning of the body that is not asked for again.
    private(set) var partialBody: PartialBody?

    /// Whether the body is decoded as its `Content-Encoding` says.
    private(set) var decodesContent = true

    /// The request for the whole body as the server has it.
    var undecoded: OutgoingRequest {
        var undecoded = whole
        undecoded.decodesContent = false
        return undecoded
    }

    /// The request for the whole body.
    var whole: OutgoingRequest {
        var whole = self
        whole.partialBody = nil
        whole.headers = headers.filter { !["range", "if-range"].contains($0.key.lowercased()) }
        return whole
    }

    /// The load's own request.
    init(_ load: PreparedLoad) {
        url = load.url
        address = load.key.url
        method = load.key.method
        headers = load.key.headers
        body = load.key.body
        credential = load.key.credential
        guard let body = load.partialBody, !headers.hasField("range"), !headers.hasField("if-range") else { return }
        partialBody = body
        headers = headers.overlaid(by: Resumption.fields(after: body))
    }

    /// Whether a host that listens to the connection would learn a secret from it.
    var hasSecrets: Bool { credential != nil || headers.hasField("authorization") || headers.hasField("cookie") }
}
