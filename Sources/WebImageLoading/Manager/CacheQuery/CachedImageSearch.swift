import FoundationEssentials
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP

/// A query of one cache: a load of a picture from the cache only.
///
/// It goes through the stages of a load, so that queries and loads find, decode and keep pictures by the same rules, and
/// share their decodes.
struct CachedImageSearch: Sendable {
    private let key: CacheKey
    private let plan: LoadPlan

    private static let shared = SharedStages()
    private static let settings = LoadSettings()

    init(_ query: ImageCacheQuery, in cache: any ImageCaching) {
        key = query.key
        plan = LoadPlan(query, cache: cache)
    }

    func imageFromMemory() -> Image? { plan.imageFromMemory() }

    /// Decodes the file under the key, on this thread.
    func decode(_ entry: DiskCacheEntry) throws(WebImageError) -> Image {
        let file = EncodedImage(StoredFile(entry: entry), from: plan.isDerived ? .original : .result)
        return try DecodeStage(plan: plan, shared: Self.shared).decodeNow(file).mapError(about).get().image
    }

    /// - Returns: nil when the query is over.
    func start(_ completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void) -> ImageCacheToken?
    {
        let image = plan.queriesMemory ? plan.imageFromMemory() : nil
        if let image, !plan.wantsDataFromDisk {
            completion(.success(ImageCacheResult(image: image, cacheType: .memory)))
            return nil
        }
        guard plan.queriesResultOnDisk || plan.queriesOriginal else {
            completion(.success(nil))
            return nil
        }
        return load(inMemory: image, completion)
    }

    private func load(
        inMemory image: Image?, _ completion: @escaping @Sendable (Result<ImageCacheResult?, WebImageError>) -> Void
    ) -> ImageCacheToken? {
        var callbacks = LoadCallbacks()
        if plan.options.contains(image == nil ? .queryDiskDataSync : .queryMemoryDataSync) {
            callbacks.queue = .current
        }
        callbacks.completed = { completion(answer($0)) }
        let request = ImageRequest(nil, options: plan.options, context: plan.context)
        let operation = LoadOperation(request, callbacks: callbacks, trace: nil, shared: Self.shared)
        let stages = LoadStages(plan: plan, shared: Self.shared, settings: Self.settings)
        let load = SharedLoad(stages, key: nil, among: nil, isTraced: false)
        load.join(operation)
        load.start(inMemory: image)
        return operation.isOver ? nil : ImageCacheToken(key: key, task: operation)
    }

    private func answer(_ outcome: LoadStateMachine.Outcome) -> Result<ImageCacheResult?, WebImageError> {
        switch outcome {
        case .success(let result):
            .success(ImageCacheResult(image: result.image, data: result.data, cacheType: result.cacheType))
        case .failure(let error) where error.code == .notCached: .success(nil)
        case .failure(let error): .failure(about(error))
        }
    }

    /// Adds the key to the error: many keys are URLs, and the plan has no URL.
    private func about(_ error: WebImageError) -> WebImageError {
        var error = error
        error.url = URL(string: key.string)
        return error
    }
}

extension LoadPlan {
    /// The plan of a query.
    fileprivate convenience init(_ query: ImageCacheQuery, cache: any ImageCaching) {
        let options = query.options.intersection(.ofQueries).union(.fromCacheOnly)
        var context = query.context
        // The queried cache answers, even where the context names another cache for loads.
        if context.cache != nil { context.cache = nil }
        if context.originalCache != nil { context.originalCache = nil }
        // The file of a thumbnail has the size of the thumbnail already.
        if context.thumbnailPixelSize != nil, query.key.isThumbnail { context.thumbnailPixelSize = nil }
        self.init(
            original: query.key, options: options, context: context,
            defaults: LoadDefaults(cache: cache, loader: noLoader, coder: ImageCodersManager.shared),
            tiers: LoadTiers(query))
    }
}

/// Loads nothing.
private let noLoader = ImageLoadersManager(loaders: [])

extension LoadTiers {
    /// Pictures from the disk may go into memory, and nothing is written.
    fileprivate init(_ query: ImageCacheQuery) {
        self.init(
            query: query.cacheType, store: query.context.storeCacheType.intersection(.memory),
            originalQuery: query.cacheType.intersection(.disk), originalStore: .noCache)
    }
}

extension DiskCacheEntry {
    /// Decodes the entry's file as a query of `key` does: for an app's own caches. May take long; any thread.
    ///
    /// - Throws: The errors of ``ImageCoder/decode(_:options:)``.
    public func decodedImage(
        for key: CacheKey, options: WebImageOptions = [], context: WebImageContext = WebImageContext()
    ) throws(WebImageError) -> Image {
        let query = ImageCacheQuery(key, options: options, context: context, cacheType: .disk)
        return try CachedImageSearch(query, in: noCache).decode(self)
    }
}

/// Stores nothing.
private let noCache = ImageCachesManager(caches: [])
