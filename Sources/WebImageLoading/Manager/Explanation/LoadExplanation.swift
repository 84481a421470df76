import WebImageCore

/// The plan of a load and its reasons in words: ``description`` is all of it, and ``notes`` what may be a surprise. See
/// ``WebImageManager/explain(_:)``.
///
/// It is made from the same plan that a load follows. It leaves open what only the picture itself decides: whether it
/// is damaged, or an animation, which a transformer may ignore.
public struct LoadExplanation: Sendable {
    /// The request after all changes by the manager, its options processor and its interceptors.
    package var request: ImageRequest
    /// The effects of the options processor and the interceptors, in their order. After one that ends the load there
    /// are no others.
    package var interceptions: [Interception] = []
    /// Why the load fails at once; nil when it does not.
    package var refusal: WebImageError?
    /// The keys of the picture; nil without an address.
    package var keys: Keys?
    /// The places in which the load looks for the picture, in this order, until it is found.
    package var reads: [Access] = []
    /// How the bytes are loaded when the picture is in no cache; nil when they are not.
    package var loading: Loading?
    /// How the bytes are decoded; nil when they are not.
    package var decoding: Decoding?
    /// The ``ImageTransformer/transformerKey`` of the transformer; nil without one.
    package var transformerKey: String?
    /// The writes of a loaded picture. Of an animation only the original is written to a file.
    package var writes: [Access] = []
    /// Combinations of settings with a surprising effect.
    package var findings: [Note] = []

    /// Possible surprises, one sentence without a full stop for each: settings that have no effect, or that override
    /// others. Empty for most loads.
    public var notes: [String] { findings.map(\.description) }

    init(request: ImageRequest) { self.request = request }

    /// The effect of one interceptor on a load.
    package struct Interception: Sendable {
        /// The type of the interceptor, or of the options processor.
        package var interceptor: String
        /// The effect.
        package var effect: Effect

        /// The possible effects of an interceptor.
        package enum Effect: Sendable, Hashable {
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
    package struct Keys: Sendable, Hashable {
        /// The key of the file from the loader.
        package var original: CacheKey
        /// The key of the finished picture; different for thumbnails and transformed pictures.
        package var result: CacheKey
        /// The key of the finished pixels in memory; different where decode options change the pixels and not the file.
        package var memory: CacheKey
    }

    /// One access to a cache.
    package struct Access: Sendable {
        /// One of the two pictures.
        package enum Picture: String, Sendable, Hashable {
            /// The file from the loader, or its pixels.
            case original
            /// The finished picture.
            case result
        }

        /// ``ImageCacheType/memory`` or ``ImageCacheType/disk``.
        package var tier: ImageCacheType
        /// The picture that this is about.
        package var picture: Picture
        /// The picture's key there.
        package var key: CacheKey
        /// The type of the cache.
        package var cache: String
        /// Whether the picture is there now; nil for the disk, which is not touched, and for writes.
        package var isFound: Bool?
        /// The most bytes that the cache keeps of it; nil without a limit, and for reads.
        package var limit: Int?
    }

    /// How bytes are loaded.
    package struct Loading: Sendable {
        /// The type of the loader; nil when none accepts the address.
        package var loader: String?
        /// The request to the loader. Contains the secrets of the load; ``LoadExplanation/description`` names header
        /// fields only.
        package var request: ImageLoadRequest
        /// Why it is not loaded after all: no loader accepts it, or the manager's delegate refuses it.
        package var refusal: WebImageError?
        /// Whether a picture from a cache is delivered first, and replaced if the server has a newer one.
        package var refreshes: Bool
        /// Whether partial pictures are delivered, where the format allows it.
        package var isProgressive: Bool
        /// Whether the transfer ends when enough bytes for a preview have arrived, where the file has one.
        package var stopsEarly: Bool
        /// Whether only hosts with addresses of the internet are asked.
        package var deniesPrivateAddresses: Bool
    }

    /// How bytes become pixels.
    package struct Decoding: Sendable {
        /// The type of the coder.
        package var coder: String
        /// The options of the decode, with the format hint from the file's name.
        package var options: ImageDecodeOptions
        /// The type that holds animations; nil for the coder's own.
        package var animatedClass: String?
    }
}
