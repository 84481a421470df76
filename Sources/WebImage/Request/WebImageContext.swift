import Synchronization

/// Settings of one load. Everything is optional; what is nil, the manager decides.
///
/// ```swift
/// var context = WebImageContext()
/// context.imageThumbnailPixelSize = PixelSize(width: 300, height: 300)
/// context.imageTransformer = ImageRoundCornerTransformer(radius: 8)
/// ```
/// A value: changing it after a load has started does not change the load. A copy shares what it holds until one of the
/// two is changed, so that handing a context on costs next to nothing.
public struct WebImageContext: Sendable {
    /// Where the completion is called; the main queue by default.
    public var callbackQueue: CallbackQueue?

    /// Everything else that was set; nil for a context that leaves it to the manager. Where a caller is called back says
    /// nothing about the picture, so contexts that differ in nothing else share their storage.
    private var storage: Storage?

    /// A context that leaves everything to the manager.
    public init() {}

    /// Names a value of the app's own.
    public protocol Key {
        /// What is kept under the key.
        associatedtype Value: Sendable
    }

    /// The app's own value, carried through all stages untouched; nil when it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { read { $0.own[ObjectIdentifier(key)] as? K.Value } }
        set {
            // What takes away nothing leaves the context the same.
            guard newValue != nil || read({ $0.own[ObjectIdentifier(key)] }) != nil else { return }
            change { $0.own[ObjectIdentifier(key)] = newValue }
        }
    }

    /// What was set together. Never changed: a context that is changed gets another.
    private final class Storage: Sendable {
        let values: Values
        /// What views last made of it for their managers.
        let forViews = Mutex<(variant: ViewVariant, storage: Storage)?>(nil)

        init(_ values: Values) { self.values = values }
    }

    /// What the views of a list have in common.
    struct ViewVariant: Hashable {
        var operationKey: String
        var thumbnailPixelSize: PixelSize?
        var coversThumbnailBox: Bool?
    }

    /// A copy as `change` makes it for a view. For the next view like it, it is the very same copy: a list's cells share
    /// one context, and their loads must be known to be alike.
    func made(for variant: ViewVariant, _ change: (inout Values) -> Void) -> WebImageContext {
        var copy = self
        if let known = storage?.forViews.withLock({ $0?.variant == variant ? $0?.storage : nil }) {
            copy.storage = known
            return copy
        }
        copy.change(change)
        if let made = copy.storage { storage?.forViews.withLock { $0 = (variant, made) } }
        return copy
    }

    /// Looks at one value, without copying the others.
    @inline(__always)
    func read<Value>(_ look: (borrowing Values) -> Value?) -> Value? {
        guard let storage else { return nil }
        return look(storage.values)
    }

    /// Equal for contexts that were copied from one another and not changed since, but for their callback queues; nil
    /// for those that leave everything to the manager. Means something only as long as one of them lives.
    var identity: ObjectIdentifier? { storage.map { ObjectIdentifier($0) } }

    mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = Storage(values)
    }

    /// What can be set.
    struct Values: Sendable {
        var own: [ObjectIdentifier: any Sendable] = [:]
        var imageCache: (any ImageCaching)?
        var originalImageCache: (any ImageCaching)?
        var imageLoader: (any ImageLoader)?
        var imageCoder: (any ImageCoder)?
        var imageTransformer: (any ImageTransformer)?
        var imageThumbnailPixelSize: PixelSize?
        var imagePreserveAspectRatio: Bool?
        var imageCoversThumbnailBox: Bool?
        var imageScaleFactor: Double?
        var imageScaleDownLimitBytes: Int?
        var imageDecodeToHDR: Bool?
        var imageTypeIdentifierHint: ImageFormatHint?
        var imageForceDecodePolicy: ForceDecodePolicy?
        var animatedImageClass: (any AnimatedImage.Type)?
        var imageDecodeOptions: ImageDecodeOptions?
        var imageEncodeOptions: ImageEncodeOptions?
        var queryCacheType: ImageCacheType?
        var storeCacheType: ImageCacheType?
        var originalQueryCacheType: ImageCacheType?
        var originalStoreCacheType: ImageCacheType?
        var cacheKeyFilter: (any CacheKeyFilter)?
        var cacheSerializer: (any CacheSerializer)?
        var httpHeaders: [String: String] = [:]
        var timeout: Double?
        var downloadCredential: DownloadCredential?
        var downloadRequestModifier: (any DownloadRequestModifier)?
        var downloadResponseModifier: (any DownloadResponseModifier)?
        var downloadDecryptor: (any DownloadDecryptor)?
        var loaderCachedImage: Image?
        var setImageOperationKey: String?
        var listener: (any LoadListener)?
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
