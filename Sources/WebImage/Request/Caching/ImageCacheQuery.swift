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

/// A picture that a cache has.
public struct ImageCacheResult: Sendable {
    /// What is called with the answer to a query.
    public typealias Completion = @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void

    /// The picture.
    public var image: Image
    /// Its file; nil from memory, unless ``ImageCacheOptions/queryMemoryData`` asked for it, and for a thumbnail.
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

/// A query that is under way.
public final class ImageCacheToken: CancellableTask {
    /// What is looked for.
    public let key: CacheKey
    private let task: any CancellableTask

    /// A token that cancels `task`.
    public init(key: CacheKey, task: any CancellableTask) {
        self.key = key
        self.task = task
    }

    /// Ends the query: its completion gets ``WebImageError/Code/cancelled``, once, on its callback queue, at once where
    /// that allows. Reading and decoding stop, unless somebody else waits for the same. Idempotent; any thread.
    public func cancel() { task.cancel() }
}
