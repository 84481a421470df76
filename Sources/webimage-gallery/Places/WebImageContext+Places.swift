import FoundationEssentials
import WebImage
import WebImageGTK

extension WebImageContext {
    /// For all pictures of a window.
    init(ofGallery manager: WebImageManager) {
        self.init()
        self.manager = manager
        // The files are on disk already; decoding a thumbnail from them is faster than writing and reading one.
        storeCacheType = .memory
        queryCacheType = .memory
        decodeOptions.decodesToWideGamut = DisplayColors.takesWideGamut
    }
}

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

nonisolated extension WebImageOptions {
    /// For a picture at this address: what has come of one that comes slowly is shown.
    func suited(to url: URL) -> WebImageOptions { url.isOfWeb ? union(.progressiveLoad) : self }
}
