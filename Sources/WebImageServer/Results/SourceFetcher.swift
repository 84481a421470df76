import FoundationEssentials
import WebImage
import WebImageCache
import WebImageCore

/// Fetches the files of sources: those that the node's disk has, by the rules of HTTP, and all others from where they are.
final class SourceFetcher: Sendable {
    /// The file of a source.
    struct Source: Sendable {
        let age: SourceAge
        let byteCount: Int
        /// Of its content.
        let fingerprint: String
        let held: HeldSource
    }

    private let cache: ImageCache
    private let manager: WebImageManager
    private let limits: ImageLimits
    private let timeout: Duration
    /// Reads headers, and no pixels.
    private let reader: HeaderReader

    private let fields: SharedCacheFields

    /// - Parameter defaultAge: Seconds for which a file is used without asking, where its server says nothing.
    init(
        cache: ImageCache, loader: any ImageLoader, coder: any ImageCoder, limits: ImageLimits, timeout: Duration,
        defaultAge: Int
    ) {
        fields = SharedCacheFields(defaultAge: defaultAge)
        self.cache = cache
        manager = WebImageManager(cache: cache, loader: loader, coder: coder)
        manager.httpCachePolicy = .http
        self.limits = limits
        self.timeout = timeout
        reader = HeaderReader(coder)
    }

    /// - Parameter key: The name of the file in the caches; nil where it is not to be kept.
    func source(at url: URL, key: CacheKey?) async throws(WebImageError) -> Source {
        let result = try await manager.result(
            for: url, options: [.retryFailed, .waitStoreCache], context: context(key))
        guard let data = result.data else {
            throw WebImageError(.transferFailed, stage: .load, kind: .transient, reason: "the file has not come")
        }
        let age = SourceAge(result.http)
        let isKept = age.keeping == .anywhere || age.keeping == .asked
        let cached = isKept ? key.map { cachedFile(of: $0) } : nil
        return Source(
            age: age, byteCount: data.count, fingerprint: FileFingerprint(data).text,
            held: HeldSource(data, cached: cached))
    }

    private func cachedFile(of key: CacheKey) -> HeldSource.Reading {
        { [cache] () throws(WebImageError) in
            guard let entry = try cache.queryDiskBlocking(for: key) else {
                throw WebImageError(
                    .cancelled, stage: .disk, kind: .transient,
                    reason: "the source has left the cache while it waited; ask again, or raise cache-size")
            }
            return entry.data
        }
    }

    private func context(_ key: CacheKey?) -> WebImageContext {
        var context = WebImageContext()
        context.coder = reader
        context.decodeOptions.limits = limits
        context.timeout = timeout
        context.downloadResponseModifier = fields
        let tiers: ImageCacheType = key == nil ? .noCache : .disk
        context.queryCacheType = tiers
        context.storeCacheType = tiers
        context.originalQueryCacheType = tiers
        context.originalStoreCacheType = tiers
        if let key { context.cacheKeyFilter = OneKey(key: key.string) }
        return context
    }
}

/// The name of one source in the caches.
private struct OneKey: CacheKeyFilter {
    let key: String

    func cacheKey(for url: URL) -> String? { key }
}

/// Reads the headers of files, and returns one pixel in place of a picture: sources are decoded to the size of each result.
private final class HeaderReader: ImageCoder {
    private let coder: any ImageCoder

    init(_ coder: any ImageCoder) { self.coder = coder }

    func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        _ = try coder.properties(of: data, isComplete: true, options: options)
        return Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0]))
    }

    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "a source has no pixels here")
    }

    func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "a source has no pixels here")
    }
}
