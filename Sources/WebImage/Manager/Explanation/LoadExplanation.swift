/// The plan of a load and its reasons, as a value; ``description`` is the same in words. See
/// ``WebImageManager/explain(_:)``.
///
/// It is made from the same plan that a load follows. It leaves open what only the picture itself decides: whether it
/// is damaged, or an animation, which a transformer may ignore.
public struct LoadExplanation: Sendable {
    /// The request after all changes by the manager, its options processor and its interceptors.
    public var request: ImageRequest
    /// The effects of the options processor and the interceptors, in their order. After one that ends the load there
    /// are no others.
    public var interceptions: [Interception] = []
    /// Why the load fails at once; nil when it does not.
    public var refusal: WebImageError?
    /// The keys of the picture; nil without an address.
    public var keys: Keys?
    /// The places in which the load looks for the picture, in this order, until it is found.
    public var reads: [Access] = []
    /// How the bytes are loaded when the picture is in no cache; nil when they are not.
    public var loading: Loading?
    /// How the bytes are decoded; nil when they are not.
    public var decoding: Decoding?
    /// The ``ImageTransformer/transformerKey`` of the transformer; nil without one.
    public var transformerKey: String?
    /// The writes of a loaded picture. Of an animation only the original is written to a file.
    public var writes: [Access] = []
    /// Combinations of settings with a surprising effect.
    public var notes: [Note] = []

    init(request: ImageRequest) { self.request = request }

    /// The effect of one interceptor on a load.
    public struct Interception: Sendable {
        /// The type of the interceptor, or of the options processor.
        public var interceptor: String
        /// The effect.
        public var effect: Effect

        /// The possible effects of an interceptor.
        public enum Effect: Sendable, Hashable {
            /// Nothing.
            case unchanged
            /// It changes these settings of the request, by name: options with + and - before them.
            case changes([String])
            /// It takes the load over: the rest of the explanation applies if it proceeds without changes.
            case takesOver
            /// It ends the load, with or without a picture.
            case answers(isPicture: Bool)
        }
    }

    /// The keys of a picture in the caches.
    public struct Keys: Sendable, Hashable {
        /// The key of the file from the loader.
        public var original: CacheKey
        /// The key of the finished picture; different for thumbnails and transformed pictures.
        public var result: CacheKey
        /// The key of the finished pixels in memory; different where decode options change the pixels and not the file.
        public var memory: CacheKey
    }

    /// One access to a cache.
    public struct Access: Sendable {
        /// Which of the two pictures.
        public enum Picture: String, Sendable, Hashable {
            /// The file from the loader, or its pixels.
            case original
            /// The finished picture.
            case result
        }

        /// ``ImageCacheType/memory`` or ``ImageCacheType/disk``.
        public var tier: ImageCacheType
        /// Which of the two pictures.
        public var picture: Picture
        /// The picture's key there.
        public var key: CacheKey
        /// The type of the cache.
        public var cache: String
        /// Whether the picture is there now; nil for the disk, which is not touched, and for writes.
        public var isFound: Bool?
    }

    /// How bytes are loaded.
    public struct Loading: Sendable {
        /// The type of the loader; nil when none accepts the address.
        public var loader: String?
        /// The request to the loader. Contains the secrets of the load; ``LoadExplanation/description`` names header
        /// fields only.
        public var request: ImageLoadRequest
        /// Why it is not loaded after all: no loader accepts it, or the manager's delegate refuses it.
        public var refusal: WebImageError?
        /// Whether a picture from a cache is delivered first, and replaced if the server has a newer one.
        public var refreshes: Bool
        /// Whether partial pictures are delivered, where the format allows it.
        public var isProgressive: Bool
        /// Whether the transfer ends when enough bytes for a preview have arrived, where the file has one.
        public var stopsEarly: Bool
    }

    /// How bytes become pixels.
    public struct Decoding: Sendable {
        /// The type of the coder.
        public var coder: String
        /// The options of the decode, with the format hint from the file's name.
        public var options: ImageDecodeOptions
        /// The type that holds animations; nil for the coder's own.
        public var animatedClass: String?
    }
}
