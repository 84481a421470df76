import FoundationEssentials
import Glibc
import WebImage

/// What the loads of one command line share: a manager over a cache and loaders that are set up as asked, and how each
/// picture is decoded and written.
struct LoadPipeline: Sendable {
    private let manager: WebImageManager
    private let options: WebImageOptions
    private let context: WebImageContext
    private let diskCache: DiskCache
    private let output: OutputEncoding

    init(_ command: LoadCommand) throws(WebImageError) {
        diskCache = DiskCache(directory: command.cacheDirectory ?? ImageCache.defaultDirectory)
        if command.cacheDirectory != nil { try Self.checkWritable(diskCache.directory) }
        let loader = ImageLoadersManager(loaders: [
            DataURLLoader(), FileLoader(), WebImageDownloader(config: Self.downloads(command)),
        ])
        manager = WebImageManager(cache: ImageCache(memoryCache: MemoryCache(), diskCache: diskCache), loader: loader)
        options = command.refreshes || command.ignoresCache ? [.waitStoreCache, .fromLoaderOnly] : .waitStoreCache
        context = Self.context(command)
        output = OutputEncoding(command)
    }

    func load(
        _ url: URL, progress: (@Sendable (LoadProgress) -> Void)?
    ) async throws(WebImageError) -> LoadResult {
        try await manager.result(for: url, options: options, context: context, progress: progress)
    }

    /// The bytes to write for a picture, and their format.
    func encode(_ result: LoadResult) throws(WebImageError) -> (data: Data, format: ImageFormat) {
        try output.encode(result, by: manager.coder)
    }

    /// What was read counts as used, also for the next process.
    func finish() { diskCache.saveAccessTimes() }

    private static func downloads(_ command: LoadCommand) -> WebImageDownloaderConfig {
        var config = WebImageDownloaderConfig()
        guard let concurrency = command.concurrency else { return config }
        config.maxConcurrentDownloads = concurrency
        config.maxConnectionsPerHost = concurrency
        return config
    }

    /// The disk keeps originals only: a thumbnail comes from the same bytes the first time and the tenth, so its pixels
    /// are the same. Memory would be of no use to a program that asks once for each picture.
    private static func context(_ command: LoadCommand) -> WebImageContext {
        var context = WebImageContext()
        context.imageThumbnailPixelSize = command.thumbnail
        if command.isRaw { context.imageDecodeOptions = .storedPixels }
        context.timeout = command.timeout
        let disk: ImageCacheType = command.ignoresCache ? .none : .disk
        let result: ImageCacheType = command.thumbnail == nil ? disk : .none
        context.queryCacheType = result
        context.storeCacheType = result
        context.originalQueryCacheType = disk
        context.originalStoreCacheType = disk
        return context
    }

    /// A cache that was asked for by name must work; the usual one is only missed.
    private static func checkWritable(_ directory: String) throws(WebImageError) {
        try OutputTarget.directory(directory).makeDirectory()
        guard access(directory, W_OK | X_OK) == 0 else { throw SystemError(errno).writing(directory.printable) }
    }
}

/// What is written of a picture: the original file, or its pixels in another form.
struct OutputEncoding: Sendable {
    private let format: ImageFormat?
    private let keepsOriginal: Bool
    private var options = ImageEncodeOptions()

    init(_ command: LoadCommand) {
        format = command.format ?? command.target.format
        keepsOriginal = command.thumbnail == nil && command.quality == nil && !command.isRaw
        if let quality = command.quality { options.compressionQuality = Double(quality) / 100 }
    }

    /// Pixels whose own format cannot be written become PNG, which loses nothing.
    func encode(
        _ result: LoadResult, by coder: any ImageCoder
    ) throws(WebImageError) -> (data: Data, format: ImageFormat) {
        let own = result.image.metadata.format
        if keepsOriginal, format == nil || format == own, let data = result.data { return (data, own) }
        let format = format ?? (coder.canEncode(own) ? own : .png)
        return (try coder.encode(result.image, to: format, options: options), format)
    }
}
