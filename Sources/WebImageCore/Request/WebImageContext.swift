import FoundationEssentials
import Synchronization

/// Settings of one load. Each has a default; nil leaves the decision to the manager.
///
/// ```swift
/// var context = WebImageContext()
/// context.thumbnailPixelSize = PixelSize(width: 300, height: 300)
/// context.transformer = .roundedCorners(radius: 8)
/// ```
/// A value: changing it after a load has started does not change the load. A copy shares its storage until one of the
/// two is changed, so that passing a context on costs almost nothing.
///
/// Concurrent loads of one URL are shared if their contexts are equal, even if these were created separately.
/// Collaborators that are objects are equal if they are the same object, values that are `Hashable` if they are equal,
/// and transformers if their ``ImageTransformer/transformerKey`` is. Values that are not `Hashable` equal no others:
/// loads with them are shared only if their contexts are copies of one. ``WebImageManager/explain(_:)`` reports that.
@dynamicMemberLookup
public struct WebImageContext: Sendable {
    /// The queue of the completion; the main queue by default.
    public var callbackQueue: CallbackQueue?

    /// All other values; nil for a context that leaves them to the manager. The callback queue does not affect the
    /// picture, so contexts that differ only in that share their storage.
    private var storage: Storage?

    /// A context that leaves everything to the manager.
    public init() {}

    /// A context with values of the app's, for a call in one line.
    ///
    /// ```swift
    /// let request = ImageRequest(url, context: WebImageContext { $0.transformer = .roundedCorners(radius: 8) })
    /// ```
    public init(_ configure: (inout WebImageContext) -> Void) {
        self.init()
        configure(&self)
    }

    /// The key of an app's own value.
    public protocol Key {
        /// The type of the value.
        associatedtype Value: Sendable
    }

    /// An app's own value, passed through all stages unchanged; nil when it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { read { $0.own[ObjectIdentifier(key)]?.wrappedValue as? K.Value } }
        set {
            // Setting a missing value to nil leaves the context unchanged.
            guard newValue != nil || read({ $0.own[ObjectIdentifier(key)] }) != nil else { return }
            change { $0.own[ObjectIdentifier(key)] = newValue.map { Compared(wrappedValue: $0) } }
        }
    }

    /// The values of a context. Never changed: a changed context gets another storage.
    fileprivate final class Storage: Sendable {
        /// For contexts without values.
        static let empty = Storage(Values())

        let values: Values
        /// The last context derived from it.
        let variant = Mutex<(variant: Variant, storage: Storage)?>(nil)

        init(_ values: Values) { self.values = values }
    }

    /// The reason of a derived context, equal for all loads with the same changes.
    package enum Variant: Hashable {
        /// A load of a view.
        case view(operationKey: String, thumbnailPixelSize: PixelSize?, coversThumbnailBox: Bool?)
        /// A load with the settings of that number.
        case settings(UInt64)
    }

    /// A copy as changed by `change` for `variant`. The next load with the same variant gets the same copy, so that a
    /// list's cells reuse what the first of them has made.
    package func made(for variant: Variant, _ change: (inout Values) -> Void) -> WebImageContext {
        let source = storage ?? .empty
        var copy = self
        if let known = source.variant.withLock({ $0?.variant == variant ? $0?.storage : nil }) {
            copy.storage = known
            return copy
        }
        copy.change(change)
        guard let made = copy.storage else { return copy }
        // The old variant may retain objects of the app: it is released outside the lock.
        let former = source.variant.withLock { variantOfSource in
            defer { variantOfSource = (variant, made) }
            return variantOfSource
        }
        withExtendedLifetime(former) {}
        return copy
    }

    /// Reads one value, without copying the others.
    @inline(__always)
    package func read<Value>(_ look: (borrowing Values) -> Value?) -> Value? {
        guard let storage else { return nil }
        return look(storage.values)
    }

    /// Whether it leaves everything to the manager.
    package var isEmpty: Bool { storage == nil }

    /// Identifies the values of the context, without the callback queue.
    package var identity: Identity { Identity(storage: storage ?? .empty) }

    /// Equal for contexts with the same values: by `==`, and collaborators by ``CollaboratorIdentity``. Values that
    /// cannot be compared are equal only in copies of one context.
    package struct Identity: Hashable, Sendable {
        fileprivate let storage: Storage

        package static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.storage === rhs.storage || lhs.storage.values == rhs.storage.values
        }

        /// The value in which contexts for the same picture differ most often.
        package func hash(into hasher: inout Hasher) { hasher.combine(storage.values.decodeOptions.thumbnailPixelSize) }
    }

    /// Whether each value that was set can be compared: one that cannot be does not equal itself either.
    package var isComparable: Bool {
        // A dictionary is not compared with itself value by value.
        read { values in values == values && values.own.values.allSatisfy { $0 == $0 } } ?? true
    }

    package mutating func change(_ change: (inout Values) -> Void) {
        var values = storage?.values ?? Values()
        change(&values)
        storage = Storage(values)
    }

    /// All values of a context.
    package struct Values: Sendable, Equatable {
        package var own: [ObjectIdentifier: Compared<any Sendable>] = [:]
        @Compared var cache: (any ImageCaching)?
        @Compared var originalCache: (any ImageCaching)?
        @Compared var loader: (any ImageLoader)?
        @Compared var coder: (any ImageCoder)?
        @ComparedByKey package var transformer: (any ImageTransformer)?
        package var decodeOptions = ImageDecodeOptions()
        @Compared var animatedImageClass: (any AnimatedImage.Type)?
        var encodeOptions: ImageEncodeOptions?
        var queryCacheType = ImageCacheType.all
        var storeCacheType = ImageCacheType.all
        var originalQueryCacheType = ImageCacheType.disk
        var originalStoreCacheType = ImageCacheType.automatic
        @Compared package var cacheKeyFilter: (any CacheKeyFilter)?
        @Compared package var cacheSerializer: (any CacheSerializer)?
        package var httpCachePolicy: HTTPCachePolicy?
        var httpHeaders: [String: String] = [:]
        var timeout: Duration?
        var downloadCredential: DownloadCredential?
        @Compared var downloadRequestModifier: (any DownloadRequestModifier)?
        @Compared var downloadResponseModifier: (any DownloadResponseModifier)?
        @Compared var downloadDecryptor: (any DownloadDecryptor)?
        @Compared var loaderCachedImage: Image?
        package var operationKey: String?
        @Compared var listener: (any LoadListener)?
        var alternativeURLs: [URL] = []
        var preview: ImagePreview?
    }
}

extension WebImageContext {
    /// Stores pictures in memory and writes nothing to the disk.
    public static var cacheMemoryOnly: WebImageContext {
        var context = WebImageContext()
        context.storeCacheType = .memory
        context.originalStoreCacheType = .noCache
        return context
    }
}
