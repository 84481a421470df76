import FoundationEssentials
import WebImage

nonisolated extension WebImageContext {
    /// For a picture at this address: the disk keeps nothing of phones and servers that have no path, because it would not
    /// notice when a file there changes.
    func suited(to url: URL) -> WebImageContext {
        guard PlaceLoader.canLoad(url) else { return self }
        var context = self
        (context.originalQueryCacheType, context.originalStoreCacheType) = (.noCache, .noCache)
        return context
    }
}
