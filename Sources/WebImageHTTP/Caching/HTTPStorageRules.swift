import FoundationEssentials
import WebImageCore

/// The rules of HTTP for storing a new response in a private cache (RFC 9111 §3).
package struct HTTPStorageRules: Sendable {
    /// The request as it was sent.
    package let request: SentRequest
    package let response: HTTPResponse

    package init(request: SentRequest, response: HTTPResponse) {
        self.request = request
        self.response = response
    }

    /// Whether the response may be stored.
    package var mayBeStored: Bool {
        let status = response.statusCode
        let control = CacheControl(response.header("cache-control") ?? "")
        let wanted = CacheControl(request.header("cache-control") ?? "")
        guard !control.forbidsStorage(of: status), !wanted.noStore else { return false }
        // A part is not the whole (RFC 9111 §3.3).
        guard status >= 200, status != 206, status != 304 else { return false }
        let hasLifetime = control.lifetime != .unstated || response.header("expires") != nil
        switch request.method {
        case "GET": return hasLifetime || control.isPublic || HTTPStatus.isHeuristicallyCacheable(status)
        // RFC 9110 §9.3.3.
        case "POST": return hasLifetime && contentLocation?.absoluteString == request.url.absoluteString
        default: return false
        }
    }

    /// Whether it is what the address has now, so that an older response is none any more.
    package var replacesStored: Bool {
        request.method == "GET" && (200..<300).contains(response.statusCode) && response.statusCode != 206
    }

    private var contentLocation: URL? { address(in: "content-location") }

    private func address(in name: String) -> URL? {
        response.header(name).flatMap { URL(webAddress: $0, relativeTo: response.url) }
    }

    /// The addresses whose stored responses are no longer valid (RFC 9111 §4.4).
    package var invalidated: [URL] {
        guard !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method), (200..<400).contains(response.statusCode)
        else { return [] }
        let others = [address(in: "location"), contentLocation].compactMap(\.self)
        return [request.url] + others.filter { $0.isOfOrigin(of: request.url) }
    }

    /// The fields to store, with the notes of the cache.
    ///
    /// - Parameters:
    ///   - known: The fields of the request that a cache knows before it is sent, names in lower case.
    ///   - delay: See ``HTTPRecord/delay``.
    package func record(knowing known: [String: String], delay: String? = nil) -> [String: String] {
        var fields = HTTPCacheRules.storedFields(of: response.headers)
        fields[HTTPRecord.status] = "\(response.statusCode)"
        fields[HTTPRecord.delay] = delay
        if response.url != request.url {
            // The address that a redirect leads to may have a password.
            fields[HTTPRecord.location] = response.url.separatingCredential().0.absoluteString
            fields[HTTPRecord.redirectLifetime] = "\(request.redirectLifetime ?? 0)"
        }
        for name in response.header("vary")?.listedNames ?? [] where name != "*" {
            fields[HTTPRecord.variedField + name] = known[name]
            if isUnknown(name, known) { fields[HTTPRecord.variesUnknown] = "1" }
        }
        return fields
    }

    /// Whether a later request may have another value of the field, which cannot be told before it is sent. The usual
    /// fields of a downloader are the same in all of its requests.
    private func isUnknown(_ name: String, _ known: [String: String]) -> Bool {
        if name == "cookie", request.usesCookies { return true }
        guard !["accept", "accept-encoding", "user-agent"].contains(name) else { return false }
        return request.header(name) != known[name]
    }
}

extension URL {
    fileprivate func isOfOrigin(of other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased()
            && host().map(HostSpelling.of) == other.host().map(HostSpelling.of) && port == other.port
    }
}
