/// Settings of one load. Everything is optional; what is nil, the manager decides.
///
/// ```swift
/// var context = WebImageContext()
/// context.imageThumbnailPixelSize = PixelSize(width: 300, height: 300)
/// context.imageTransformer = ImageRoundCornerTransformer(radius: 8)
/// ```
/// A value: changing it after a load has started does not change the load.
public struct WebImageContext: Sendable {
    // MARK: Who does it

    /// Where the completion is called; the main queue by default.
    public var callbackQueue: CallbackQueue?
    /// The cache to use in place of the manager's.
    public var imageCache: (any ImageCaching)?
    /// The cache for original files, in place of ``imageCache``.
    public var originalImageCache: (any ImageCaching)?
    /// The loader to use in place of the manager's.
    public var imageLoader: (any ImageLoader)?
    /// The coder to use in place of the manager's, whatever the bytes are.
    public var imageCoder: (any ImageCoder)?
    /// The transformer to use in place of the manager's; ``ImageTransformer/disabled`` for none. Part of the cache key.
    public var imageTransformer: (any ImageTransformer)?

    // MARK: Pixels

    /// The box in pixels that the picture is decoded to fit; nil decodes the whole. Part of the cache key.
    public var imageThumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's proportions (the default) or fills the box. Part of the cache key.
    public var imagePreserveAspectRatio: Bool?
    /// Pixels per point of the picture; by default what its name says (`photo@2x.jpg`), otherwise 1.
    public var imageScaleFactor: Double?
    /// Bytes that all frames may take together; a larger picture is decoded smaller. Wins over the thumbnail size.
    public var imageScaleDownLimitBytes: Int?
    /// Whether a coder that can keeps high dynamic range.
    public var imageDecodeToHDR: Bool?
    /// What the file may be, for formats that their bytes do not tell; by default what its name says.
    public var imageTypeIdentifierHint: ImageFormatHint?
    /// When the picture is turned into pixels; see ``ForceDecodePolicy``.
    public var imageForceDecodePolicy: ForceDecodePolicy?
    /// How animations are held; nil leaves it to the coder. A file that it does not take is decoded as usual.
    public var animatedImageClass: (any AnimatedImage.Type)?
    /// How the bytes are decoded, in all that the properties above do not say.
    public var imageDecodeOptions: ImageDecodeOptions?
    /// How a thumbnail or a transformed picture is encoded for the disk cache.
    public var imageEncodeOptions: ImageEncodeOptions?

    // MARK: Caches

    /// The tiers to look for the finished picture in; all by default.
    public var queryCacheType: ImageCacheType?
    /// The tiers to store the finished picture in; all by default.
    public var storeCacheType: ImageCacheType?
    /// The tiers to look for the original in when a thumbnail or a transformed picture is not there itself; the disk by
    /// default.
    public var originalQueryCacheType: ImageCacheType?
    /// The tiers to store the original in; the disk by default, where the finished picture is another one.
    public var originalStoreCacheType: ImageCacheType?
    /// Names the picture in the caches, in place of the manager's filter.
    public var cacheKeyFilter: (any CacheKeyFilter)?
    /// Makes the bytes for the disk, in place of the manager's serializer.
    public var cacheSerializer: (any CacheSerializer)?

    // MARK: Requests

    /// Header fields to send with the request, beside the downloader's own.
    public var httpHeaders: [String: String] = [:]
    /// Seconds without any progress after which loading fails; nil takes the loader's default.
    public var timeout: Double?
    /// Sent when the server asks for it; nil takes the downloader's.
    public var downloadCredential: DownloadCredential?
    /// Changes the request, in place of the downloader's modifier.
    public var downloadRequestModifier: (any DownloadRequestModifier)?
    /// Changes the answer's head, in place of the downloader's modifier.
    public var downloadResponseModifier: (any DownloadResponseModifier)?
    /// Decrypts the body, in place of the downloader's decryptor.
    public var downloadDecryptor: (any DownloadDecryptor)?
    /// The picture in the cache that is being refreshed; set by the manager for loaders.
    public internal(set) var loaderCachedImage: Image?

    // MARK: Views and others

    /// Views: tells the view's loads apart; one that begins cancels the one before it under the same key.
    public var setImageOperationKey: String?
    /// Hears of every stage of this load, beside the manager's listeners.
    public var listener: (any LoadListener)?

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// A context that leaves everything to the manager.
    public init() {}

    /// Names a value of the app's own.
    public protocol Key {
        /// What is kept under the key.
        associatedtype Value: Sendable
    }

    /// The app's own value, carried through all stages untouched; nil when it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

extension WebImageContext {
    /// Keeps pictures in memory and writes nothing to the disk.
    public static var cacheMemoryOnly: WebImageContext {
        var context = WebImageContext()
        context.storeCacheType = .memory
        context.originalStoreCacheType = ImageCacheType.none
        return context
    }
}
