/// What a load may and may not do. The bits are SDWebImage's.
public struct WebImageOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options by their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

// MARK: - The road

extension WebImageOptions {
    /// Load even when the URL is on the list of failed URLs, and take it off the list on success. A failure puts it there
    /// as any other.
    public static let retryFailed = WebImageOptions(rawValue: 1 << 0)
    /// Deliver a picture from the cache at once, and ask the server whether it still is the right one, unless what the
    /// server said with it (`Cache-Control`, `Expires`) answers that. The load ends with the same picture or the new one.
    /// Without effect on a picture that is made from its original on disk.
    public static let refreshCached = WebImageOptions(rawValue: 1 << 3)
    /// Never load: a picture that is in no cache fails with ``WebImageError/Code/notCached``.
    public static let fromCacheOnly = WebImageOptions(rawValue: 1 << 15)
    /// Look into no cache; what is loaded is stored as usual.
    public static let fromLoaderOnly = WebImageOptions(rawValue: 1 << 16)
    /// Complete only when the caches have what they should, so that the disk can be read at once.
    public static let waitStoreCache = WebImageOptions(rawValue: 1 << 22)
    /// Go on when the app goes into the background; see ``WebImageManager/backgroundTasks``. Views: go on, once begun, when
    /// the widget is destroyed, for what is left in the caches.
    public static let continueInBackground = WebImageOptions(rawValue: 1 << 4)
}

// MARK: - Loaders

extension WebImageOptions {
    /// Less urgent than others: for pictures that nobody looks at yet.
    public static let lowPriority = WebImageOptions(rawValue: 1 << 1)
    /// More urgent than others; wins over ``lowPriority``.
    public static let highPriority = WebImageOptions(rawValue: 1 << 7)
    /// Send the server's cookies and keep those that it sets. They are neither sent nor kept otherwise.
    public static let handleCookies = WebImageOptions(rawValue: 1 << 5)
    /// Believe a server whose certificate cannot be verified. Anybody on the way can then read and change what is sent.
    public static let allowInvalidSSLCertificates = WebImageOptions(rawValue: 1 << 6)
    /// Deliver partial pictures while the bytes come, where the format allows it.
    public static let progressiveLoad = WebImageOptions(rawValue: 1 << 2)
}

// MARK: - Caches

extension WebImageOptions {
    /// Deliver the file from the disk beside a picture from memory.
    public static let queryMemoryData = WebImageOptions(rawValue: 1 << 12)
    /// With ``queryMemoryData``: read the file on the caller's thread. Blocks.
    public static let queryMemoryDataSync = WebImageOptions(rawValue: 1 << 13)
    /// Read and decode a picture from the disk on the caller's thread, so that it is there when the call returns. Blocks.
    public static let queryDiskDataSync = WebImageOptions(rawValue: 1 << 14)
}

// MARK: - Pixels

extension WebImageOptions {
    /// Decode no larger than ``ImageDecodeOptions/defaultScaleDownLimitBytes`` allows, unless the context has a limit of
    /// its own. Wins over a thumbnail size.
    public static let scaleDownLargeImages = WebImageOptions(rawValue: 1 << 11)
    /// The same as the context's ``ForceDecodePolicy/never``.
    public static let avoidDecodeImage = WebImageOptions(rawValue: 1 << 18)
    /// Decode an animation to a still picture of its first frame. Wins over the context's animated class.
    public static let decodeFirstFrameOnly = WebImageOptions(rawValue: 1 << 19)
    /// Decode all frames of an animation before it is delivered.
    public static let preloadAllFrames = WebImageOptions(rawValue: 1 << 20)
    /// Take nothing but the context's animated class: another picture in memory counts as none, and a file that it does
    /// not take fails with ``WebImageError/Code/badImageData``.
    public static let matchAnimatedImageClass = WebImageOptions(rawValue: 1 << 21)
    /// Transform animations too; they are left alone otherwise.
    public static let transformAnimatedImage = WebImageOptions(rawValue: 1 << 9)
    /// Transform pictures drawn from shapes too; they are left alone otherwise.
    public static let transformVectorImage = WebImageOptions(rawValue: 1 << 23)
}

// MARK: - Views

extension WebImageOptions {
    /// Views: do not show the placeholder while loading, only when the load ends without a picture.
    public static let delayPlaceholder = WebImageOptions(rawValue: 1 << 8)
    /// Views: do not show the picture; the completion does what it wants with it.
    public static let avoidAutoSetImage = WebImageOptions(rawValue: 1 << 10)
    /// Views: run the transition wherever the picture comes from.
    public static let forceTransition = WebImageOptions(rawValue: 1 << 17)
    /// Views: let the load before this one go on.
    public static let avoidAutoCancelImage = WebImageOptions(rawValue: 1 << 24)
    /// Views: complete when the transition has ended.
    public static let waitTransition = WebImageOptions(rawValue: 1 << 25)

    /// All that mean nothing to anybody but views.
    package static let ofViews: WebImageOptions = [
        .delayPlaceholder, .avoidAutoSetImage, .forceTransition, .avoidAutoCancelImage, .waitTransition,
    ]
}

extension WebImageOptions {
    var priority: LoadPriority {
        if contains(.highPriority) { return .high }
        return contains(.lowPriority) ? .low : .normal
    }
}
