import FoundationEssentials

extension TiledImage {
    /// Opens a picture at an address. A file is read where it is. Any other address is loaded through the manager into its
    /// disk cache, unless it is there already, and read from there. What is learnt about the file is kept in the disk cache,
    /// so that the next visit finds its parts at once.
    ///
    /// - Parameters:
    ///   - address: A `URL`, or a text that a person has written.
    ///   - manager: Loads the file; its cache keeps it.
    ///   - context: Of the load: its cache, loader and rights. Sizes, transformers and tiers count for nothing.
    ///   - limits: The most pixels are ``ImageLimits/maximumSourcePixelCount``; a picture that has no regions is also bound
    ///     to the other limits.
    /// - Throws: The reason why the file could not be loaded or read; ``WebImageError/isCancelled`` when the task was
    ///   cancelled.
    public static func open(
        _ address: any ImageAddress, manager: WebImageManager = .shared, context: WebImageContext = WebImageContext(),
        limits: ImageLimits = ImageLimits()
    ) async throws(WebImageError) -> TiledImage {
        try await open(
            address.imageURL, manager: manager, context: context, limits: limits, settings: TileSettings())
    }

    /// - Parameter base: The whole picture in any size, where it is there already.
    static func open(
        _ url: URL, manager: WebImageManager, context: WebImageContext, limits: ImageLimits = ImageLimits(),
        settings: TileSettings = TileSettings(), base: Bitmap? = nil
    ) async throws(WebImageError) -> TiledImage {
        let cache = context.cache ?? manager.cache
        let plan = manager.plan(of: ImageRequest(url, context: context))
        let key = plan?.keys.original ?? manager.cacheKey(for: url)
        let store = CachedTileIndex(of: key, in: cache)
        guard !url.hasScheme("file") else {
            return try await open(file: localFile(url), limits: limits, store: store, settings: settings, base: base)
        }
        let file = try await loadedFile(url, key: key, manager: manager, context: context, cache: cache)
        do throws(WebImageError) {
            return try await open(file: file, limits: limits, store: store, settings: settings, base: base)
        } catch {
            // The load has looked at the header only.
            if [.badImageData, .truncatedImageData].contains(error.code) {
                cache.remove(for: key, from: .disk, completion: nil)
            }
            throw error
        }
    }

    private static func localFile(_ url: URL) throws(WebImageError) -> RandomAccessFile {
        let path = try FilePath(url)
        do {
            return try RandomAccessFile(path: path.bytes + [0])
        } catch {
            throw error.webImageError(stage: .load)
        }
    }

    /// The file in the disk cache, which is loaded there first.
    private static func loadedFile(
        _ url: URL, key: CacheKey, manager: WebImageManager, context: WebImageContext, cache: any ImageCaching
    ) async throws(WebImageError) -> RandomAccessFile {
        var context = context
        context.coder = HeaderCoder(context.coder ?? ImageCodersManager.shared)
        context.thumbnailPixelSize = nil
        context.transformer = nil
        context.queryCacheType = .disk
        context.storeCacheType = .disk
        let request = ImageRequest(url, options: [.waitStoreCache], context: context)
        _ = try await manager.result(for: request)
        if let file = (cache as? ImageCache)?.openBody(of: key) { return file }
        let entry: Result<DiskCacheEntry?, WebImageError> = await withCheckedContinuation { continuation in
            _ = cache.queryDisk(for: key, priority: .high) { continuation.resume(returning: $0) }
        }
        guard let data = try entry.get()?.data else {
            throw WebImageError(
                .fileFailed, stage: .store, kind: .permanent,
                reason: "the picture could not be kept in the disk cache; open its data instead", url: url)
        }
        return RandomAccessFile(data)
    }
}

/// Looks at the header of a file and makes no picture, so that a file of any size is loaded into a cache.
private final class HeaderCoder: ImageCoder {
    private let coder: any ImageCoder

    init(_ coder: any ImageCoder) { self.coder = coder }

    func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        guard try coder.properties(of: data, isComplete: true) != nil else {
            throw .truncated(ImageFormat(sniffing: data))
        }
        return Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0]))
    }
}
