import WebImage

/// The result of a load.
struct LoadedPicture: Sendable {
    let result: LoadResult
    /// The picture from the cache that was shown while its server was asked.
    let first: LoadResult?

    /// Whether a picture was shown that is older than its server allows.
    var isStale: Bool { first?.isStale ?? result.isStale }

    /// Whether the server had another picture than the one that was shown first; nil where none was, or where the server has
    /// not answered.
    var hasChanged: Bool? {
        guard first != nil, !result.isStale else { return nil }
        return result.cacheType == .noCache
    }
}
