import FoundationEssentials

/// Everything that one load will do, resolved once from its URL, its options, its context and the manager's defaults.
///
/// A class, so that the parts of a load share it: copies of so many references take a quarter of a memory hit's time.
final class LoadPlan: Sendable {
    let url: URL
    let options: WebImageOptions
    let callbackQueue: CallbackQueue
    let request: ImageLoadRequest

    let cache: any ImageCaching
    let loader: any ImageLoader
    let coder: any ImageCoder

    /// The name of the file as it comes from the loader.
    let originalKey: CacheKey
    /// The name of the finished picture, a thumbnail's differs from its original's.
    let resultKey: CacheKey
    /// The name of the finished pixels in memory, where decode options that leave the file alone count as well.
    let memoryKey: CacheKey

    let queryTiers: ImageCacheType
    let storeTiers: ImageCacheType
    let originalQueryTiers: ImageCacheType
    let originalStoreTiers: ImageCacheType

    /// For the original file.
    let decodeOptions: ImageDecodeOptions
    let encodeOptions: ImageEncodeOptions

    init(url: URL, options: WebImageOptions, context: WebImageContext, defaults: LoadDefaults) {
        self.url = url
        self.options = options
        callbackQueue = context.callbackQueue ?? .main
        request = ImageLoadRequest(
            url: url, priority: options.priority, headers: context.httpHeaders, timeout: context.timeout)
        cache = context.imageCache ?? defaults.cache
        loader = context.imageLoader ?? defaults.loader
        coder = context.imageCoder ?? defaults.coder

        decodeOptions = ImageDecodeOptions(context: context)
        encodeOptions = context.imageEncodeOptions ?? .thumbnail
        let keys = LoadKeys(url: url, options: decodeOptions)
        originalKey = keys.original
        resultKey = keys.result
        memoryKey = keys.memory

        // A file that is on this machine already is not copied to the disk cache: it would only grow stale there.
        let possible: ImageCacheType = url.isLocal ? .memory : .all
        queryTiers = possible.intersection(context.queryCacheType ?? .all)
        storeTiers = possible.intersection(context.storeCacheType ?? .all)
        originalQueryTiers = possible.intersection(context.originalQueryCacheType ?? .disk)
        originalStoreTiers = possible.intersection(context.originalStoreCacheType ?? .disk)
    }

    var isDerived: Bool { resultKey != originalKey }
    var queriesMemory: Bool { !options.contains(.fromLoaderOnly) && queryTiers.contains(.memory) }
    var queriesResultOnDisk: Bool { !options.contains(.fromLoaderOnly) && queryTiers.contains(.disk) }
    var queriesOriginalOnDisk: Bool {
        isDerived && !options.contains(.fromLoaderOnly) && originalQueryTiers.contains(.disk)
    }
    var mayLoad: Bool { !options.contains(.fromCacheOnly) }

    /// For a file that is the finished picture already.
    var resultDecodeOptions: ImageDecodeOptions {
        var options = decodeOptions
        if isDerived { options.thumbnailPixelSize = nil }
        return options
    }
}

/// What a manager uses where a context says nothing.
struct LoadDefaults: Sendable {
    let cache: any ImageCaching
    let loader: any ImageLoader
    let coder: any ImageCoder
}

/// The names of one load's picture at its three stations.
struct LoadKeys {
    let original: CacheKey
    let result: CacheKey
    let memory: CacheKey

    init(url: URL, options: ImageDecodeOptions) {
        original = CacheKey(url.absoluteString)
        if let size = options.thumbnailPixelSize, !size.isEmpty {
            result = original.thumbnail(size, preservesAspectRatio: options.preservesAspectRatio)
        } else {
            result = original
        }
        memory = options.memoryVariant.map(result.variant) ?? result
    }
}

extension ImageDecodeOptions {
    fileprivate init(context: WebImageContext) {
        self = context.imageDecodeOptions ?? ImageDecodeOptions()
        if let size = context.imageThumbnailPixelSize { thumbnailPixelSize = size }
        if let preserves = context.imagePreserveAspectRatio { preservesAspectRatio = preserves }
        if let scale = context.imageScaleFactor { scaleFactor = scale }
    }

    /// Tells apart pixels that the same file decodes to under other options; nil for the usual ones.
    fileprivate var memoryVariant: String? {
        let isUsual = appliesOrientation && convertsToSRGB && pixelFormat == .rgba8Premultiplied && scaleFactor <= 1
        if isUsual { return nil }
        return "\(appliesOrientation) \(convertsToSRGB) \(pixelFormat) \(scaleFactor)"
    }
}

extension ImageEncodeOptions {
    /// For thumbnails on disk: at the very best quality a JPEG takes three times the space and the time to read it, for
    /// a difference that nobody sees; the original is there besides.
    fileprivate static var thumbnail: ImageEncodeOptions {
        var options = ImageEncodeOptions()
        options.compressionQuality = 0.9
        return options
    }
}

extension URL {
    /// Whether the bytes are on this machine already.
    var isLocal: Bool { hasScheme("file", "data") }
}
