import FoundationEssentials

/// What a cache is asked for: a picture by its key.
public struct ImageCacheQuery: Sendable {
    /// The picture's name: that of its file, or of a thumbnail or a transformed picture that was stored as a file.
    public var key: CacheKey
    /// How to ask.
    public var options: ImageCacheOptions
    /// How bytes become pixels, which coder does it, and where the answer is given.
    ///
    /// A thumbnail that it names is looked for under its own key first, in memory and on disk, and otherwise decoded from
    /// the file. Without memory in ``WebImageContext/storeCacheType``, what the disk has is not put into memory.
    public var context: WebImageContext
    /// The tiers to look into.
    public var cacheType: ImageCacheType

    /// A query of all tiers, unless others are named.
    public init(
        _ key: CacheKey, options: ImageCacheOptions = [], context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all
    ) {
        self.key = key
        self.options = options
        self.context = context
        self.cacheType = cacheType
    }
}
