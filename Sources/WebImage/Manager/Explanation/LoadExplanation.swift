/// What a load would do and why, as a value; ``description`` is the same in words. See
/// ``WebImageManager/explain(_:)``.
///
/// It is made of the very plan that a load follows. What only the picture itself decides is left open: whether it is an
/// animation, which a transformer may leave alone, or broken.
public struct LoadExplanation: Sendable {
    /// What was asked for, with all that the manager, its options processor and its interceptors have changed.
    public var request: ImageRequest
    /// What the options processor and the interceptors do with the load, in their order. After one that ends the load
    /// nothing else happens.
    public var interceptions: [Interception] = []
    /// Why the load fails at once; nil when it does not.
    public var refusal: WebImageError?
    /// The names of the picture; nil without an address.
    public var keys: Keys?
    /// Where the picture is looked for, in this order, until it is found.
    public var reads: [Access] = []
    /// How the bytes are loaded when the picture is in none of these places; nil when they are not.
    public var loading: Loading?
    /// How bytes become pixels; nil when there are none.
    public var decoding: Decoding?
    /// The ``ImageTransformer/transformerKey`` of what makes another picture of the pixels; nil for nothing.
    public var transformerKey: String?
    /// What a picture that was loaded is written to. Animations get no file but the original.
    public var writes: [Access] = []
    /// How settings work together, where that may surprise.
    public var notes: [Note] = []

    init(request: ImageRequest) { self.request = request }

    /// What one interceptor does with a load.
    public struct Interception: Sendable {
        /// The type of the interceptor, or of the options processor.
        public var interceptor: String
        /// What it does.
        public var effect: Effect

        /// What an interceptor may do.
        public enum Effect: Sendable, Hashable {
            /// Nothing.
            case none
            /// It changes these settings of the request, by name: options with + and - before them.
            case changes([String])
            /// It takes the load over: what follows in the explanation is the plan if it proceeds unchanged.
            case takesOver
            /// It ends the load, with a picture or without.
            case answers(isPicture: Bool)
        }
    }

    /// The names of a picture in the caches.
    public struct Keys: Sendable, Hashable {
        /// The file's, as it comes from the loader.
        public var original: CacheKey
        /// The finished picture's; another one for thumbnails and transformed pictures.
        public var result: CacheKey
        /// The finished pixels' in memory; another one where decode options change the pixels and not the file.
        public var memory: CacheKey
    }

    /// One place where a picture is looked for or written to.
    public struct Access: Sendable {
        /// Which of the two pictures.
        public enum Picture: String, Sendable, Hashable {
            /// The file as it comes from the loader, or its pixels.
            case original
            /// The finished picture.
            case result
        }

        /// ``ImageCacheType/memory`` or ``ImageCacheType/disk``.
        public var tier: ImageCacheType
        /// Which of the two pictures.
        public var picture: Picture
        /// The picture's name there.
        public var key: CacheKey
        /// The type of the cache.
        public var cache: String
        /// Whether the picture is there now; nil for the disk, which is not touched, and for writes.
        public var isFound: Bool?
    }

    /// How bytes are loaded.
    public struct Loading: Sendable {
        /// The type of the loader; nil when none takes the address.
        public var loader: String?
        /// What the loader is asked. It holds secrets where the load does; ``LoadExplanation/description`` names header
        /// fields only.
        public var request: ImageLoadRequest
        /// Why it is not loaded after all: no loader takes it, or the manager's delegate does not let it be loaded.
        public var refusal: WebImageError?
        /// Whether a picture from a cache is delivered first, and then loaded if the server has another one.
        public var refreshes: Bool
        /// Whether partial pictures are delivered on the way, where the format allows it.
        public var isProgressive: Bool
        /// Whether the transfer ends when enough has come for a preview, where the file has one.
        public var stopsEarly: Bool
    }

    /// How bytes become pixels.
    public struct Decoding: Sendable {
        /// The type of the coder.
        public var coder: String
        /// What the coder is asked, its format hint as the file's name gives it.
        public var options: ImageDecodeOptions
        /// The type that animations are held in; nil when the coder decides.
        public var animatedClass: String?
    }
}
