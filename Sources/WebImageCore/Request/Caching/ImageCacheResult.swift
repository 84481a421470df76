import FoundationEssentials

/// A picture that a cache has.
public struct ImageCacheResult: Sendable {
    package typealias Completion = @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void

    /// The picture.
    public var image: Image
    /// Its file; nil from memory, unless ``WebImageOptions/queryMemoryData`` asked for it, and for a thumbnail.
    public var data: Data?
    /// The tier that the picture itself came from.
    public var cacheType: ImageCacheType

    /// A picture from the tier `cacheType`.
    public init(image: Image, data: Data? = nil, cacheType: ImageCacheType) {
        self.image = image
        self.data = data
        self.cacheType = cacheType
    }
}
