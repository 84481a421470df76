import FoundationEssentials

/// Chooses the name of a URL's picture in the caches: leaves out a token, say, that changes with every request.
///
/// ```swift
/// struct WithoutQuery: CacheKeyFilter {
///     func cacheKey(for url: URL) -> String? { url.absoluteString.split(separator: "?").first.map(String.init) }
/// }
/// ```
public protocol CacheKeyFilter: Sendable {
    /// The name; nil takes the whole URL. Any thread; must be quick.
    func cacheKey(for url: URL) -> String?
}
