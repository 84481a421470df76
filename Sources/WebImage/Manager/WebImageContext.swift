/// Settings of one load. Everything is optional; what is nil, the manager decides.
///
/// ```swift
/// var context = WebImageContext()
/// context.imageThumbnailPixelSize = PixelSize(width: 300, height: 300)
/// ```
/// A value: changing it after a load has started does not change the load.
public struct WebImageContext: Sendable {
    /// Where the completion is called; the main queue by default.
    public var callbackQueue: CallbackQueue?
    /// The cache to use in place of the manager's.
    public var imageCache: (any ImageCaching)?
    /// The loader to use in place of the manager's.
    public var imageLoader: (any ImageLoader)?
    /// The coder to use in place of the manager's, whatever the bytes are.
    public var imageCoder: (any ImageCoder)?

    /// The box in pixels that the picture is decoded to fit; nil decodes the whole. Part of the cache key.
    public var imageThumbnailPixelSize: PixelSize?
    /// Whether a thumbnail keeps the picture's proportions (the default) or fills the box. Part of the cache key.
    public var imagePreserveAspectRatio: Bool?
    /// Pixels per point of the picture; 1 by default.
    public var imageScaleFactor: Double?
    /// How the bytes are decoded, in all that the properties above do not say.
    public var imageDecodeOptions: ImageDecodeOptions?
    /// How a thumbnail is encoded for the disk cache.
    public var imageEncodeOptions: ImageEncodeOptions?

    /// The tiers to look for the finished picture in; all by default.
    public var queryCacheType: ImageCacheType?
    /// The tiers to store the finished picture in; all by default.
    public var storeCacheType: ImageCacheType?
    /// The tiers to look for the original file in when a thumbnail is not there itself; the disk by default.
    public var originalQueryCacheType: ImageCacheType?
    /// The tiers to store the original file of a thumbnail in; the disk by default.
    public var originalStoreCacheType: ImageCacheType?

    /// Header fields to send with the request, beside the downloader's own.
    public var httpHeaders: [String: String] = [:]
    /// Seconds without any progress after which loading fails; nil takes the loader's default.
    public var timeout: Double?

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
