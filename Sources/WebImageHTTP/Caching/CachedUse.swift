/// How a picture in a cache may be used for a load.
package enum CachedUse: Sendable, Hashable {
    /// Without asking its server.
    case atOnce
    /// At once, while its server is asked for a newer one (RFC 5861 §3).
    case whileRevalidated
    /// Only after its server has said that it is current; with `evenOnErrors`, also when the server does not answer or fails
    /// (RFC 5861 §4).
    case afterRevalidation(evenOnErrors: Bool)
}
