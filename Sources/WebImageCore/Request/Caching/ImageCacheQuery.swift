import FoundationEssentials

/// A query for a picture by its key.
public struct ImageCacheQuery: Sendable {
    /// The picture's key: that of its file, or of a thumbnail or a transformed picture that was stored as a file.
    public var key: CacheKey
    /// The options of a load that concern the cache and the pixels: ``WebImageOptions/queryMemoryData``,
    /// ``WebImageOptions/queryMemoryDataSync``, ``WebImageOptions/queryDiskDataSync``,
    /// ``WebImageOptions/scaleDownLargeImages``, ``WebImageOptions/decodeFirstFrameOnly``,
    /// ``WebImageOptions/preloadAllFrames`` and ``WebImageOptions/matchAnimatedImageClass``; and
    /// ``WebImageOptions/allowInvalidSSLCertificates``, to see what was loaded with it. A query ignores the others.
    public var options: WebImageOptions
    /// The decode options, the coder, and the callback queue.
    ///
    /// A thumbnail is first looked for under its own key, in memory and on disk, and otherwise decoded from the file.
    /// Without memory in ``WebImageContext/storeCacheType``, a picture from the disk is not put into memory.
    public var context: WebImageContext
    /// The tiers to query.
    public var cacheType: ImageCacheType

    /// A query of all tiers, unless tiers are given.
    public init(
        _ key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all
    ) {
        self.key = key
        self.options = options
        self.context = context
        self.cacheType = cacheType
    }
}

extension WebImageOptions {
    /// The options that a query follows.
    package static let ofQueries: WebImageOptions = [
        .queryMemoryData, .queryMemoryDataSync, .queryDiskDataSync, .scaleDownLargeImages, .avoidDecodeImage,
        .decodeFirstFrameOnly, .preloadAllFrames, .matchAnimatedImageClass, .allowInvalidSSLCertificates,
    ]
}
