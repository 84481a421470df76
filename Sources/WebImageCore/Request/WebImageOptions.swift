/// The options of a load. The raw values are SDWebImage's.
public struct WebImageOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options by their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

// MARK: - Stages

extension WebImageOptions {
    /// Load even when the URL is on the list of failed URLs, and remove it from the list on success. A failure adds it
    /// again.
    public static let retryFailed = WebImageOptions(rawValue: 1 << 0)
    /// Deliver a picture from the cache at once, and revalidate it with the server, unless it is fresh according to its
    /// stored fields (`Cache-Control`, `Expires`). The load ends with the same picture or the new one. Without effect
    /// on a picture that is made from its original on disk.
    public static let refreshCached = WebImageOptions(rawValue: 1 << 3)
    /// Never load: a picture that is in no cache fails with ``WebImageError/Code/notCached``.
    public static let fromCacheOnly = WebImageOptions(rawValue: 1 << 15)
    /// Query no cache; the loaded picture is stored as usual.
    public static let fromLoaderOnly = WebImageOptions(rawValue: 1 << 16)
    /// Complete only after all writes to the caches, so that the file can be read at once.
    public static let waitStoreCache = WebImageOptions(rawValue: 1 << 22)
    /// Continue when the app goes into the background; see ``WebImageManager/backgroundTasks``. Views: a load that has
    /// begun continues after the widget is destroyed, to fill the caches.
    public static let continueInBackground = WebImageOptions(rawValue: 1 << 4)
}

// MARK: - Loaders

extension WebImageOptions {
    /// A lower priority than others: for pictures that are not visible yet.
    public static let lowPriority = WebImageOptions(rawValue: 1 << 1)
    /// A higher priority than others; overrides ``lowPriority``.
    public static let highPriority = WebImageOptions(rawValue: 1 << 7)
    /// Send the server's cookies and store those that it sets. Otherwise they are neither sent nor stored.
    public static let handleCookies = WebImageOptions(rawValue: 1 << 5)
    /// Accept a certificate that cannot be verified. A third party can then read and change the transfer.
    public static let allowInvalidSSLCertificates = WebImageOptions(rawValue: 1 << 6)
    /// Deliver partial pictures while the bytes arrive, where the format allows it.
    public static let progressiveLoad = WebImageOptions(rawValue: 1 << 2)
}

// MARK: - Caches

extension WebImageOptions {
    /// Deliver the file from the disk beside a picture from memory.
    public static let queryMemoryData = WebImageOptions(rawValue: 1 << 12)
    /// With ``queryMemoryData``: read the file on the caller's thread. Blocks.
    public static let queryMemoryDataSync = WebImageOptions(rawValue: 1 << 13)
    /// Read and decode a picture from the disk on the caller's thread, before the call returns. Blocks.
    public static let queryDiskDataSync = WebImageOptions(rawValue: 1 << 14)
}

// MARK: - Pixels

extension WebImageOptions {
    /// Decode no larger than ``ImageDecodeOptions/defaultScaleDownLimitBytes`` allows, unless the context has a limit.
    /// Overrides a thumbnail size.
    public static let scaleDownLargeImages = WebImageOptions(rawValue: 1 << 11)
    /// No effect: every picture is decoded in the background before it is delivered. For code that comes from SDWebImage.
    public static let avoidDecodeImage = WebImageOptions(rawValue: 1 << 18)
    /// Decode an animation to a still picture of its first frame. Overrides the context's animated class.
    public static let decodeFirstFrameOnly = WebImageOptions(rawValue: 1 << 19)
    /// Decode all frames of an animation before it is delivered.
    public static let preloadAllFrames = WebImageOptions(rawValue: 1 << 20)
    /// Accept only the context's animated class: a picture of another class in memory counts as none, and a file that
    /// the class does not accept fails with ``WebImageError/Code/badImageData``.
    public static let matchAnimatedImageClass = WebImageOptions(rawValue: 1 << 21)
    /// Transform animations, too; otherwise they stay unchanged.
    public static let transformAnimatedImage = WebImageOptions(rawValue: 1 << 9)
    /// Transform pictures drawn from shapes, too; otherwise they stay unchanged.
    public static let transformVectorImage = WebImageOptions(rawValue: 1 << 23)
}

// MARK: - Views

extension WebImageOptions {
    /// Views: do not show the placeholder while loading, only when the load ends without a picture.
    public static let delayPlaceholder = WebImageOptions(rawValue: 1 << 8)
    /// Views: do not show the picture; the completion handles it.
    public static let avoidAutoSetImage = WebImageOptions(rawValue: 1 << 10)
    /// Views: run the transition wherever the picture comes from.
    public static let forceTransition = WebImageOptions(rawValue: 1 << 17)
    /// Views: do not cancel the previous load.
    public static let avoidAutoCancelImage = WebImageOptions(rawValue: 1 << 24)
    /// Views: complete when the transition has ended.
    public static let waitTransition = WebImageOptions(rawValue: 1 << 25)

    /// All options that only views use.
    package static let ofViews: WebImageOptions = [
        .delayPlaceholder, .avoidAutoSetImage, .forceTransition, .avoidAutoCancelImage, .waitTransition,
    ]
}

extension WebImageOptions {
    package var priority: LoadPriority {
        if contains(.highPriority) { return .high }
        return contains(.lowPriority) ? .low : .normal
    }
}
