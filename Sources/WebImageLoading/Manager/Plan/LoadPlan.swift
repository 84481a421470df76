import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImageHTTP

/// The complete plan of one load, resolved once from its request.
///
/// A class, so that the parts of a load share it: copying so many references takes a quarter of a memory hit's time.
package final class LoadPlan: Sendable {
    package let url: URL
    /// The URL of the caller's request, if an interceptor replaced it.
    private let changedURL: URL?
    let options: WebImageOptions
    let context: WebImageContext
    let transformer: (any ImageTransformer)?

    let keys: LoadKeys

    private let tiers: LoadTiers

    private let defaults: LoadDefaults

    /// Whether its request is none that caches have answers to.
    private let hasOtherMethod: Bool

    /// Whether it would need the network, which the manager must not use.
    let isOffline: Bool

    /// - Parameters:
    ///   - request: With the manager's own transformer, key filter and serializer filled in where it has none.
    ///   - isOffline: Whether the manager must not use the network.
    init(
        url: URL, requestedURL: URL? = nil, request: ImageRequest, defaults: LoadDefaults, isOffline: Bool = false
    ) {
        let address = url.absoluteString
        self.isOffline = isOffline && address.hasScheme("http", "https")
        self.url = url
        changedURL = requestedURL
        options = request.options
        context = request.context
        self.defaults = defaults
        hasOtherMethod = defaults.hasOtherMethod(url, request)
        // Without a name of its own the result would take the original's place in the caches.
        transformer = context.transformer.flatMap { $0.transformerKey.isEmpty ? nil : $0 }
        let original = CacheKey(filtering: url, address, by: context.cacheKeyFilter)
        let keys = LoadKeys(original: original, options: options, context: context, transformer: transformer)
        tiers = LoadTiers(
            context: context, isLocal: address.hasScheme("file", "data"), isDerived: keys.isDerived,
            hasUsualPixels: keys.hasUsualPixels)
        self.keys = keys
    }

    /// The plan for the picture called `original`, which has no address, in `tiers`.
    init(
        original: CacheKey, options: WebImageOptions, context: WebImageContext, defaults: LoadDefaults, tiers: LoadTiers
    ) {
        url = .noAddress
        changedURL = nil
        self.options = options
        self.context = context
        transformer = nil
        self.defaults = defaults
        self.tiers = tiers
        hasOtherMethod = false
        isOffline = false
        keys = LoadKeys(original: original, options: options, context: context, transformer: nil)
    }

    /// For the original file. Made where it is wanted: a load that memory answers has no use for it.
    var decodeOptions: ImageDecodeOptions {
        ImageDecodeOptions(context: context, options: options, key: keys.original)
    }

    /// The address that the caller asked for.
    var requestedURL: URL { changedURL ?? url }

    var queryTiers: ImageCacheType { tiers.query }
    var storeTiers: ImageCacheType { tiers.store }
    var originalQueryTiers: ImageCacheType { tiers.originalQuery }
    var originalStoreTiers: ImageCacheType { tiers.originalStore }

    // Resolved on demand: a load that memory answers needs one of them.
    var cache: any ImageCaching { context.cache ?? defaults.cache }
    var originalCache: any ImageCaching { context.originalCache ?? cache }
    func cache(of file: DiskFile) -> any ImageCaching { file == .original ? originalCache : cache }
    var loader: any ImageLoader { context.loader ?? defaults.loader }
    var coder: any ImageCoder { context.coder ?? defaults.coder }
    /// The coder that decodes: the manager's isolation also holds for a coder of the library that the request chooses.
    var decoder: any ImageCoder {
        guard let chosen = context.coder else { return defaults.coder }
        return (defaults.coder as? ImageCodersManager)?.decoder(inPlaceOf: chosen) ?? chosen
    }
    var cacheIdentity: CollaboratorIdentity {
        context.cache.map { CollaboratorIdentity($0) } ?? defaults.cacheIdentity
    }
    var coderIdentity: CollaboratorIdentity {
        context.coder.map { CollaboratorIdentity($0) } ?? defaults.coderIdentity
    }

    /// Whether the finished picture differs from the original.
    var isDerived: Bool { keys.isDerived }
    var isThumbnail: Bool { keys.isThumbnail }

    var priority: LoadPriority { options.priority }
    package var queriesCaches: Bool { !options.contains(.fromLoaderOnly) && !hasOtherMethod }
    var queriesMemory: Bool { queriesCaches && queryTiers.contains(.memory) && requestedRange == nil }
    /// The file of a derived picture is never an animation, and has no fields by which it may be used.
    var queriesResultOnDisk: Bool {
        queriesCaches && queryTiers.contains(.disk) && !(isDerived && (requiresAnimatedClass || followsServer))
    }
    var queriesOriginal: Bool { isDerived && queriesCaches && (readsOriginalFromMemory || reads(.original)) }
    var mayLoad: Bool { !isFromCacheOnly && !isOnlyIfCached }
    /// Whether the server must not be asked, whatever the caches have.
    var isFromCacheOnly: Bool { isOffline || options.contains(.fromCacheOnly) }
    var refreshes: Bool { options.contains(.refreshCached) && queriesCaches && mayLoad }
    /// Whether a picture from memory is delivered with its file; a derived picture has none.
    var wantsDataFromDisk: Bool { options.contains(.queryMemoryData) && !isDerived && queryTiers.contains(.disk) }
    /// Whether the load continues after a memory hit.
    func goesOn(after image: Image, at now: @autoclosure () -> Date) -> Bool {
        refreshes || wantsDataFromDisk || followsServer && use(of: image, at: now()) != .atOnce
    }
}

/// The manager's defaults for contexts. A class, so that each load retains all of them with one reference.
final class LoadDefaults: Sendable {
    let cache: any ImageCaching
    let loader: any ImageLoader
    let coder: any ImageCoder
    // Computed once: it takes as long as a memory hit, and an identity that cannot be compared belongs to one manager.
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

extension LoadDefaults {
    /// Whether a load that follows the server sends another request than GET.
    fileprivate func hasOtherMethod(_ url: URL, _ request: ImageRequest) -> Bool {
        let context = request.context
        guard context.httpCachePolicy?.followsServer ?? false, !url.isLocal else { return false }
        var sent = ImageLoadRequest(url: url, headers: context.httpHeaders)
        sent.options = request.options
        sent.context = context
        sent.requestModifier = context.downloadRequestModifier
        return (context.loader ?? loader).method(of: sent) != "GET"
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
        query = possibleForResult.intersection(context.queryCacheType)
        store = possibleForResult.intersection(context.storeCacheType)
        originalQuery = possible.intersection(context.originalQueryCacheType)
        // A picture that is its own original uses the store type only, unless the context names both.
        let hasOriginalOfItsOwn = isDerived || context.originalCache != nil
        originalStore = possible.intersection(
            context.originalStoreCacheType.automatic(is: hasOriginalOfItsOwn ? .disk : .noCache))
    }
}

extension LoadKeys {
    fileprivate init(
        original: CacheKey, options: WebImageOptions, context: WebImageContext, transformer: (any ImageTransformer)?
    ) {
        guard !context.isEmpty || !options.isDisjoint(with: [.decodeFirstFrameOnly, .scaleDownLargeImages]) else {
            self.init(onlyOf: original)
            return
        }
        self.init(
            original: original, options: ImageDecodeOptions(context: context, options: options, key: original),
            transformerKey: transformer?.transformerKey,
            animatedClass: options.contains(.decodeFirstFrameOnly) ? nil : context.animatedImageClass)
    }
}

extension CacheKey {
    /// The key of `url` in the caches; without a filter's key, the whole URL but for its fragment.
    init(filtering url: URL, by filter: (any CacheKeyFilter)?) {
        self.init(filtering: url, url.absoluteString, by: filter)
    }

    /// - Parameter address: The URL as text.
    fileprivate init(filtering url: URL, _ address: String, by filter: (any CacheKeyFilter)?) {
        if let filter, let key = filter.cacheKey(for: url), !key.isEmpty {
            self.init(key)
        } else {
            self.init(address.withoutFragment)
        }
    }
}

extension URL {
    /// Whether the bytes are on this machine already.
    package var isLocal: Bool { hasScheme("file", "data") }
}
