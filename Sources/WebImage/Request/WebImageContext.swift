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
///
/// Loads of one URL at one time go one way if their contexts set the same, also where each was made for itself. Of
/// collaborators, classes are the same if they are one instance, values that are `Hashable` if they are equal, and
/// transformers if their ``ImageTransformer/transformerKey`` is. Values that are not `Hashable` equal no others: loads with
/// them go together only where their contexts are copies of one. ``WebImageManager/explain(_:)`` says so.
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
        get { read { $0.own[ObjectIdentifier(key)]?.wrappedValue as? K.Value } }
        set {
            // What takes away nothing leaves the context the same.
            guard newValue != nil || read({ $0.own[ObjectIdentifier(key)] }) != nil else { return }
            change { $0.own[ObjectIdentifier(key)] = newValue.map { Compared(wrappedValue: $0) } }
        }
    }

    /// What was set together. Never changed: a context that is changed gets another.
    fileprivate final class Storage: Sendable {
        /// For contexts without any.
        static let empty = Storage(Values())

        let values: Values
        /// What was last made of it.
        let variant = Mutex<(variant: Variant, storage: Storage)?>(nil)

        init(_ values: Values) { self.values = values }
    }

    /// What a context is changed for, in the same way for all loads that have it and this in common.
    enum Variant: Hashable {
        /// A load of a view.
        case view(operationKey: String, thumbnailPixelSize: PixelSize?, coversThumbnailBox: Bool?)
        /// A load by the settings of that number.
        case settings(UInt64)
    }

    /// A copy as `change` makes it for `variant`. For the next load like it, it is the very same copy: a list's cells bind
    /// in passing what the first of them has made.
    func made(for variant: Variant, _ change: (inout Values) -> Void) -> WebImageContext {
        let source = storage ?? .empty
        var copy = self
        if let known = source.variant.withLock({ $0?.variant == variant ? $0?.storage : nil }) {
            copy.storage = known
            return copy
        }
        copy.change(change)
        guard let made = copy.storage else { return copy }
        // What was there before holds things of the app's own: it is let go outside the lock.
        let former = source.variant.withLock { variantOfSource in
            defer { variantOfSource = (variant, made) }
            return variantOfSource
        }
        withExtendedLifetime(former) {}
        return copy
    }

    /// Looks at one value, without copying the others.
    @inline(__always)
    func read<Value>(_ look: (borrowing Values) -> Value?) -> Value? {
        guard let storage else { return nil }
        return look(storage.values)
    }

    /// Whether it leaves everything to the manager.
    var isEmpty: Bool { storage == nil }

    /// Tells whether the very same is loaded by two contexts, wherever their callers are called back.
    var identity: Identity { Identity(storage: storage ?? .empty) }

    /// Equal for contexts that set the same: values by `==`, collaborators as ``CollaboratorIdentity`` tells. What cannot
    /// be compared is the same in copies of one context only.
    struct Identity: Hashable, Sendable {
        fileprivate let storage: Storage

        static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.storage === rhs.storage || lhs.storage.values == rhs.storage.values
        }

        /// Of what tells most contexts apart that are made for the same picture.
        func hash(into hasher: inout Hasher) { hasher.combine(storage.values.imageThumbnailPixelSize) }
    }

    /// Whether each value that was set can be compared.
    var isComparable: Bool { read { values in values.isComparable } ?? true }

    mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = Storage(values)
    }

    /// What can be set.
    struct Values: Sendable, Equatable {
        var own: [ObjectIdentifier: Compared<any Sendable>] = [:]
        @Compared var imageCache: (any ImageCaching)?
        @Compared var originalImageCache: (any ImageCaching)?
        @Compared var imageLoader: (any ImageLoader)?
        @Compared var imageCoder: (any ImageCoder)?
        @ComparedByKey var imageTransformer: (any ImageTransformer)?
        var imageThumbnailPixelSize: PixelSize?
        var imagePreserveAspectRatio: Bool?
        var imageCoversThumbnailBox: Bool?
        var imageScaleFactor: Double?
        var imageScaleDownLimitBytes: Int?
        var imageDecodeToHDR: Bool?
        var imageTypeIdentifierHint: ImageFormatHint?
        var imageForceDecodePolicy: ForceDecodePolicy?
        @Compared var animatedImageClass: (any AnimatedImage.Type)?
        var imageDecodeOptions: ImageDecodeOptions?
        var imageEncodeOptions: ImageEncodeOptions?
        var queryCacheType: ImageCacheType?
        var storeCacheType: ImageCacheType?
        var originalQueryCacheType: ImageCacheType?
        var originalStoreCacheType: ImageCacheType?
        @Compared var cacheKeyFilter: (any CacheKeyFilter)?
        @Compared var cacheSerializer: (any CacheSerializer)?
        var httpHeaders: [String: String] = [:]
        var timeout: Double?
        var downloadCredential: DownloadCredential?
        @Compared var downloadRequestModifier: (any DownloadRequestModifier)?
        @Compared var downloadResponseModifier: (any DownloadResponseModifier)?
        @Compared var downloadDecryptor: (any DownloadDecryptor)?
        @Compared var loaderCachedImage: Image?
        var setImageOperationKey: String?
        @Compared var listener: (any LoadListener)?

        /// By reflection, so that no property can be forgotten here.
        fileprivate var isComparable: Bool {
            let set = Mirror(reflecting: self).children.map(\.value) + own.values.map { $0 }
            return set.allSatisfy { ($0 as? any ComparedValue)?.isComparable ?? true }
        }
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
