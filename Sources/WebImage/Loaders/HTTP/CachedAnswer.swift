/// A cached response as the answer to a load that follows the server.
struct CachedAnswer: Sendable {
    /// With its age; nil for other loads.
    var response: HTTPResponse?
    /// Whether its lifetime is over.
    var isStale = false
}
