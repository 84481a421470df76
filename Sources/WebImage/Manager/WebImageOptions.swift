/// What a load may and may not do. The bits are SDWebImage's.
public struct WebImageOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options by their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Load even when the URL is on the list of failed URLs, and take it off the list on success.
    public static let retryFailed = WebImageOptions(rawValue: 1 << 0)
    /// Less urgent than others: for pictures that nobody looks at yet.
    public static let lowPriority = WebImageOptions(rawValue: 1 << 1)
    /// More urgent than others; wins over ``lowPriority``.
    public static let highPriority = WebImageOptions(rawValue: 1 << 7)
    /// Views: do not show the placeholder while loading, only when the load ends without a picture.
    public static let delayPlaceholder = WebImageOptions(rawValue: 1 << 8)
    /// Views: do not show the picture; the completion does what it wants with it.
    public static let avoidAutoSetImage = WebImageOptions(rawValue: 1 << 10)
    /// Never load: a picture that is in no cache fails with ``WebImageError/Code/notCached``.
    public static let fromCacheOnly = WebImageOptions(rawValue: 1 << 15)
    /// Look into no cache; what is loaded is stored as usual.
    public static let fromLoaderOnly = WebImageOptions(rawValue: 1 << 16)
    /// Complete only when the caches have what they should, so that the disk can be read at once.
    public static let waitStoreCache = WebImageOptions(rawValue: 1 << 22)

    var priority: LoadPriority {
        if contains(.highPriority) { return .high }
        return contains(.lowPriority) ? .low : .normal
    }
}
