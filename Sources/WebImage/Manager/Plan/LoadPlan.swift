import FoundationEssentials

/// Everything that one load will do, resolved once from its request.
///
/// A class, so that the parts of a load share it: copies of so many references take a quarter of a memory hit's time.
final class LoadPlan: Sendable {
    let url: URL
    /// The address that the caller asked for, where somebody changed it.
    private let changedURL: URL?
    let options: WebImageOptions
    let context: WebImageContext
    let transformer: (any ImageTransformer)?

    let keys: LoadKeys

    private let tiers: LoadTiers

    /// For the original file.
    let decodeOptions: ImageDecodeOptions

    private let defaults: LoadDefaults

    /// - Parameter request: With the manager's own transformer, key filter and serializer filled in where it has none.
    init(url: URL, requestedURL: URL? = nil, request: ImageRequest, defaults: LoadDefaults) {
        let address = url.absoluteString
        self.url = url
        changedURL = requestedURL
        options = request.options
        context = request.context
        self.defaults = defaults
        // Without a name of its own the result would take the original's place in the caches.
        transformer = context.imageTransformer.flatMap { $0.transformerKey.isEmpty ? nil : $0 }
        let original = CacheKey(filtering: url, address, by: context.cacheKeyFilter)
        // Kept when all that needs them has them: a copy counts references.
        let decodeOptions = ImageDecodeOptions(context: context, options: options, key: original)
        let keys = LoadKeys(
            original: original, options: decodeOptions, transformerKey: transformer?.transformerKey,
            animatedClass: options.contains(.decodeFirstFrameOnly) ? nil : context.animatedImageClass)
        tiers = LoadTiers(
            context: context, isLocal: address.hasScheme("file", "data"), isDerived: keys.isDerived,
            hasUsualPixels: keys.hasUsualPixels)
        self.decodeOptions = decodeOptions
        self.keys = keys
    }

    /// What is done with the picture called `original`, which has no address, in `tiers`.
    init(
        original: CacheKey, options: WebImageOptions, context: WebImageContext, decodeOptions: ImageDecodeOptions,
        defaults: LoadDefaults, tiers: LoadTiers
    ) {
        url = .noAddress
        changedURL = nil
        self.options = options
        self.context = context
        transformer = nil
        self.decodeOptions = decodeOptions
        self.defaults = defaults
        self.tiers = tiers
        keys = LoadKeys(
            original: original, options: decodeOptions, transformerKey: nil,
            animatedClass: options.contains(.decodeFirstFrameOnly) ? nil : context.animatedImageClass)
    }

    /// The address that the caller asked for.
    var requestedURL: URL { changedURL ?? url }

    var queryTiers: ImageCacheType { tiers.query }
    var storeTiers: ImageCacheType { tiers.store }
    var originalQueryTiers: ImageCacheType { tiers.originalQuery }
    var originalStoreTiers: ImageCacheType { tiers.originalStore }

    // Looked up when they are needed: a load that memory answers needs one of them.
    var cache: any ImageCaching { context.imageCache ?? defaults.cache }
    var originalCache: any ImageCaching { context.originalImageCache ?? cache }
    func cache(of file: DiskFile) -> any ImageCaching { file == .original ? originalCache : cache }
    var loader: any ImageLoader { context.imageLoader ?? defaults.loader }
    var coder: any ImageCoder { context.imageCoder ?? defaults.coder }
    var cacheIdentity: CollaboratorIdentity {
        context.imageCache.map { CollaboratorIdentity($0) } ?? defaults.cacheIdentity
    }
    var coderIdentity: CollaboratorIdentity {
        context.imageCoder.map { CollaboratorIdentity($0) } ?? defaults.coderIdentity
    }

    /// Whether the finished picture is another one than the file's own.
    var isDerived: Bool { keys.isDerived }
    var isThumbnail: Bool { keys.isThumbnail }

    var priority: LoadPriority { options.priority }
    var queriesCaches: Bool { !options.contains(.fromLoaderOnly) }
    var queriesMemory: Bool { queriesCaches && queryTiers.contains(.memory) }
    /// The file of a derived picture is never an animation.
    var queriesResultOnDisk: Bool {
        queriesCaches && queryTiers.contains(.disk) && !(isDerived && requiresAnimatedClass)
    }
    var queriesOriginal: Bool { isDerived && queriesCaches && (readsOriginalFromMemory || reads(.original)) }
    var mayLoad: Bool { !options.contains(.fromCacheOnly) }
    var refreshes: Bool { options.contains(.refreshCached) && mayLoad && queriesCaches }
    /// Whether a picture from memory comes with its file; a derived one has none.
    var wantsDataFromDisk: Bool { options.contains(.queryMemoryData) && !isDerived && queryTiers.contains(.disk) }
    /// Whether there is more to do once the picture was in memory.
    var goesOnAfterMemory: Bool { refreshes || wantsDataFromDisk }
}

/// What a manager uses where a context says nothing. A class, so that each load keeps all of it by one reference.
final class LoadDefaults: Sendable {
    let cache: any ImageCaching
    let loader: any ImageLoader
    let coder: any ImageCoder
    // Made once: it takes as long as a memory hit, and one that cannot be compared is its manager's own.
    let cacheIdentity: CollaboratorIdentity
    let coderIdentity: CollaboratorIdentity

    init(cache: any ImageCaching, loader: any ImageLoader, coder: any ImageCoder) {
        self.cache = cache
        self.loader = loader
        self.coder = coder
        cacheIdentity = CollaboratorIdentity(cache)
        coderIdentity = CollaboratorIdentity(coder)
    }
}

/// The tiers that one load reads and writes.
struct LoadTiers {
    let query: ImageCacheType
    let store: ImageCacheType
    let originalQuery: ImageCacheType
    let originalStore: ImageCacheType
}

extension LoadTiers {
    fileprivate init(context: WebImageContext, isLocal: Bool, isDerived: Bool, hasUsualPixels: Bool) {
        // A file that is on this machine already is not copied to the disk cache: it would only grow stale there.
        let possible: ImageCacheType = isLocal ? .memory : .all
        // A derived file is named by its size and its transformer only: unusual pixels must not get under that name.
        let possibleForResult = isDerived && !hasUsualPixels ? possible.intersection(.memory) : possible
        query = possibleForResult.intersection(context.queryCacheType ?? .all)
        store = possibleForResult.intersection(context.storeCacheType ?? .all)
        originalQuery = possible.intersection(context.originalQueryCacheType ?? .disk)
        // A picture that is its own original is stored by the store type alone, unless the context asks for both.
        let hasOriginalOfItsOwn = isDerived || context.originalImageCache != nil
        originalStore = possible.intersection(
            context.originalStoreCacheType ?? (hasOriginalOfItsOwn ? .disk : ImageCacheType.none))
    }
}

extension CacheKey {
    /// The name of `url` in the caches; a filter that gives none leaves the whole URL.
    init(filtering url: URL, by filter: (any CacheKeyFilter)?) {
        self.init(filtering: url, url.absoluteString, by: filter)
    }

    /// - Parameter address: The URL as text.
    fileprivate init(filtering url: URL, _ address: String, by filter: (any CacheKeyFilter)?) {
        if let filter, let key = filter.cacheKey(for: url), !key.isEmpty {
            self.init(key)
        } else {
            self.init(address)
        }
    }
}

extension URL {
    /// Whether the bytes are on this machine already.
    var isLocal: Bool { hasScheme("file", "data") }
}
