import FoundationEssentials
import WebImageCore

/// The redirects that a load follows, and the request that each of them leads to (RFC 9110 §15.4).
struct RedirectRules {
    let config: WebImageDownloaderConfig
    /// Whether the load has a credential, cookies or an `Authorization` field.
    let hasSecrets: Bool
    let strictHosts: HSTSStore

    init(_ load: PreparedLoad, config: WebImageDownloaderConfig, strictHosts: HSTSStore) {
        self.config = config
        self.strictHosts = strictHosts
        hasSecrets = load.key.usesCookies || OutgoingRequest(load).hasSecrets
    }

    /// Whether `response` leads elsewhere. 304 has another meaning, and the other codes below 400 have none.
    static func isRedirect(_ response: HTTPResponse) -> Bool {
        switch response.statusCode {
        case 300, 301, 302, 303, 307, 308: response.headers["location"]?.isEmpty == false
        default: false
        }
    }

    /// The request after `response` to `request`.
    ///
    /// - Parameter followed: The number of redirects that the load has followed before.
    func request(
        after request: OutgoingRequest, _ response: HTTPResponse, followed: Int
    ) throws(WebImageError) -> OutgoingRequest {
        let location = response.headers["location"] ?? ""
        guard let named = URL(webAddress: location, relativeTo: request.url) else {
            throw .badLocation(location)
        }
        let target = strictHosts.secured(named.withPlainHost)
        guard target.hasScheme("http", "https") else { throw .redirectToForeignScheme(location) }
        guard followed < config.maxRedirectCount else {
            throw .tooManyRedirects(config.maxRedirectCount, target.abbreviated)
        }
        guard !request.url.hasScheme("https") || target.hasScheme("https") || allowsPlainHTTP else {
            throw .redirectToPlainHTTP(target.abbreviated)
        }
        return try next(request, to: target, status: response.statusCode)
    }

    private var allowsPlainHTTP: Bool {
        switch config.insecureRedirects {
        case .never: false
        case .withoutCredentials: !hasSecrets
        case .always: true
        }
    }

    private func next(
        _ request: OutgoingRequest, to target: URL, status: Int
    ) throws(WebImageError) -> OutgoingRequest {
        var next = request
        let (url, credential) = try target.checkedForHTTP().separatingCredential()
        next.url = url
        next.address = url.absoluteString
        if !url.hasSameOrigin(as: request.url) {
            next.credential = nil
            next.headers = next.headers.filter { !Self.fieldsOfOrigin.contains($0.key.lowercased()) }
        }
        next.credential = next.credential ?? credential
        // Clients have always continued a POST with GET, except after 307 and 308 (RFC 9110 §15.4.2 and §15.4.3).
        let isRetrieval = request.method == "GET" || request.method == "HEAD"
        if status == 303 && !isRetrieval || (status == 301 || status == 302) && request.method == "POST" {
            next.method = "GET"
            next.body = nil
            next.headers = next.headers.filter { !Self.bodyFields.contains($0.key.lowercased()) }
        }
        return next
    }

    /// Secrets for one server, and its name.
    private static let fieldsOfOrigin: Set = ["authorization", "cookie", "proxy-authorization", "host"]
    private static let bodyFields: Set = [
        "content-type", "content-encoding", "content-language", "content-location", "content-length",
    ]
}

extension URL {
    /// Whether both are served by one server: scheme, host and port are the same.
    func hasSameOrigin(as other: URL) -> Bool {
        let parts = { (url: URL) in (url.scheme?.lowercased(), url.host().map(HostSpelling.of), url.effectivePort) }
        return parts(self) == parts(other)
    }

    /// The port, or that of http or https.
    var effectivePort: Int { port ?? (hasScheme("https") ? 443 : 80) }
}

extension WebImageError {
    fileprivate static func badLocation(_ location: String) -> WebImageError {
        WebImageError(
            .invalidDownloadResponse, stage: .load, kind: .permanent,
            reason: "redirected to \(location.abbreviated(to: 100).debugDescription), which is no address; "
                + "check the server")
    }

    fileprivate static func redirectToForeignScheme(_ location: String) -> WebImageError {
        WebImageError(
            .unsupportedScheme, stage: .load, kind: .permanent,
            reason: "redirected to \(location.abbreviated(to: 100)); only http and https are followed")
    }

    fileprivate static func tooManyRedirects(_ limit: Int, _ address: String) -> WebImageError {
        WebImageError(
            .tooManyRedirects, stage: .load, kind: .permanent,
            reason: "redirected more than \(limit) times, last to \(address); "
                + "check the server or raise maxRedirectCount")
    }

    fileprivate static func redirectToPlainHTTP(_ address: String) -> WebImageError {
        WebImageError(
            .secureConnectionFailed, stage: .load, kind: .policy,
            reason: "redirected from https to \(address), which anyone on the way can read and change; "
                + "check the server or change insecureRedirects")
    }
}
