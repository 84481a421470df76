import FoundationEssentials

/// The content of one store to a cache: a picture, its file, or both.
public struct ImageCacheRecord: Sendable {
    /// The name to store it under.
    public var key: CacheKey
    /// The picture; nil stores the file alone, on disk.
    public var image: Image?
    /// The file; nil takes the animation's own (``AnimatedImageProvider/animatedImageData``), or encodes the picture.
    public var data: Data?
    /// The coder that encodes (``WebImageContext/coder``), how (``WebImageContext/encodeOptions``), and where
    /// the completion is called (``WebImageContext/callbackQueue``).
    public var context: WebImageContext
    /// The tiers to store it in.
    public var cacheType: ImageCacheType
    /// From when on file and picture count as none; nil, the default, leaves that to ``ImageCacheConfig/maxDiskAge``.
    public var expiresAt: Date?

    /// A record for all tiers, unless tiers are given.
    public init(
        _ key: CacheKey, image: Image? = nil, data: Data? = nil, context: WebImageContext = WebImageContext(),
        cacheType: ImageCacheType = .all
    ) {
        self.key = key
        self.image = image
        self.data = data
        self.context = context
        self.cacheType = cacheType
    }
}
