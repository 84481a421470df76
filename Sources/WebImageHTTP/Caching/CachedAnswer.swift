import WebImageCore

/// A cached response as the answer to a load that follows the server.
package struct CachedAnswer: Sendable {
    /// With its age; nil for other loads.
    package var response: HTTPResponse?
    /// Whether its lifetime is over.
    package var isStale = false

    package init(response: HTTPResponse? = nil, isStale: Bool = false) {
        self.response = response
        self.isStale = isStale
    }
}
