import FoundationEssentials
import Glibc
import WebImage
import WebImageCommandLine

/// The parts that the loads of one command share: a manager with a cache and loaders as requested, and the decode
/// options.
struct LoadPipeline: Sendable {
    private let manager: WebImageManager
    private let options: WebImageOptions
    private let context: WebImageContext
    private let privatePlaces: PrivatePlaces
    /// nil where nothing can be written.
    private let diskCache: DiskCache?

    /// - Parameters:
    ///   - editing: Changes of the pictures, for which the decode prepares them.
    ///   - concurrency: The maximum number of transfers; nil for the downloader's default.
    ///   - listener: Gets every stage of every load.
    init(
        _ loading: LoadingOptions, editing: PictureEditing = PictureEditing(), concurrency: Int? = nil,
        listener: (any LoadListener)? = nil
    ) {
        CacheDirectoryAccess.checkOwner(of: loading.directory)
        let cache: ImageCache
        (cache, diskCache) = Self.cache(in: loading.directory)
        let loader = ImageLoadersManager(loaders: [
            DataURLLoader(), FileLoader(), WebImageDownloader(config: Self.downloads(loading, concurrency)),
            StandardInputLoader(),
        ])
        manager = WebImageManager(cache: cache, loader: loader)
        manager.resumesTransfers = loading.transfer.resumes
        manager.listeners = [listener].compactMap(\.self)
        if let retries = loading.retries, retries > 0 {
            manager.interceptors = [RetryInterceptor(attempts: retries + 1)]
        }
        options = loading.webImageOptions
        var context = loading.context
        if !editing.isEmpty { context.coder = RegionCoder(manager.coder, editing: editing) }
        self.context = context
        privatePlaces = PrivatePlaces(areDenied: loading.transfer.deniesPrivateAddresses)
    }

    /// Decodes and encodes.
    var coder: any ImageCoder { manager.coder }

    func load(
        _ url: URL, progress: (@Sendable (LoadProgress) -> Void)?
    ) async throws(WebImageError) -> LoadedPicture {
        try privatePlaces.check(url)
        var first: LoadResult?
        do throws(WebImageError) {
            for try await event in manager.events(for: url, options: options, context: context) {
                switch event {
                case .progress(let value): progress?(value)
                case .cached(let result): first = result
                case .preview, .partial: break
                case .finished(let result): return LoadedPicture(result: result, first: first)
                }
            }
        } catch {
            guard let first, !error.isCancelled else { throw error }
            return LoadedPicture(result: first, first: first)
        }
        // The events of a task that is cancelled end without one.
        throw .cancelled(url: url)
    }

    /// The plan of ``load(_:progress:)``.
    ///
    /// - Throws: Why it fails before it begins.
    func explain(_ url: URL) throws(WebImageError) -> LoadExplanation {
        try privatePlaces.check(url)
        return manager.explain(url, options: options, context: context)
    }

    /// The date of each read is written, so that it counts for the next process, and nothing is written while this one
    /// ends.
    func finish() {
        diskCache?.close()
    }

    private static func cache(in directory: String) -> (ImageCache, DiskCache?) {
        switch CacheDirectoryAccess(to: directory) {
        case .full:
            let diskCache = DiskCache(directory: directory)
            return (ImageCache(memoryCache: MemoryCache(), diskCache: diskCache), diskCache)
        case .readOnly(let reason):
            var config = ImageCacheConfig()
            config.additionalDirectories = [directory]
            let diskTier = UnwritableDiskTier(directory: directory, reason: reason)
            return (ImageCache(memoryCache: MemoryCache(), diskCache: diskTier, config: config), nil)
        }
    }

    private static func downloads(_ loading: LoadingOptions, _ concurrency: Int?) -> WebImageDownloaderConfig {
        var config = WebImageDownloaderConfig()
        loading.request.apply(to: &config)
        loading.transfer.apply(to: &config)
        guard let concurrency else { return config }
        config.maxConcurrentDownloads = concurrency
        config.maxConnectionsPerHost = concurrency
        return config
    }
}

extension LoadingOptions {
    fileprivate var directory: String { cacheDirectory ?? ImageCache.defaultDirectory }

    fileprivate var webImageOptions: WebImageOptions {
        var usual: WebImageOptions =
            refreshes || ignoresCache ? [.waitStoreCache, .fromLoaderOnly] : .waitStoreCache
        if request.acceptsAnyCertificate { usual.insert(.allowInvalidSSLCertificates) }
        if request.cookieFile != nil { usual.insert(.handleCookies) }
        return options.reduce(usual) { $0.union($1) }
    }

    /// The disk cache keeps originals only: a thumbnail is then always decoded from the same bytes and has the same
    /// pixels. The memory cache would be useless for a program that loads each picture once.
    fileprivate var context: WebImageContext {
        var context = WebImageContext()
        context.decodeOptions = decodeOptions
        context.thumbnailPixelSize = thumbnail?.size
        context.timeout = request.timeout.map { .seconds($0) }
        context.httpHeaders = request.headers.byName
        if followsServer { context.httpCachePolicy = .http }
        context.downloadCredential = request.credential
        let disk: ImageCacheType = ignoresCache ? .noCache : .disk
        let result: ImageCacheType = thumbnail == nil ? disk : .noCache
        context.queryCacheType = result
        context.storeCacheType = result
        context.originalQueryCacheType = disk
        context.originalStoreCacheType = disk
        return context
    }

    private var decodeOptions: ImageDecodeOptions {
        var options = isRaw ? ImageDecodeOptions.storedPixels : ImageDecodeOptions()
        // PAM holds one picture: for an animated PNG, the default image that every decoder shows.
        options.decodesFirstFrameOnly = isRaw
        pixels.apply(to: &options)
        return options
    }

    /// A cache named by `--cache` must be readable; a default cache may be missing. A directory that is created for it is
    /// for this user only.
    func checkCache() throws(WebImageError) {
        guard let cacheDirectory else { return }
        try OutputDirectory(cacheDirectory).make(mode: 0o700)
        guard access(cacheDirectory, W_OK | X_OK) != 0 else { return }
        let failure = SystemError(errno)
        guard case .readOnly = CacheDirectoryAccess(to: cacheDirectory) else {
            throw failure.writing(cacheDirectory.printable)
        }
    }
}

/// The output of a picture: the original file, or its pixels in another format.
struct OutputEncoding: Sendable {
    private let format: ImageFormat?
    private let isRaw: Bool
    private let hasQuality: Bool
    private let editing: PictureEditing
    private var options = ImageEncodeOptions()

    init(_ command: LoadCommand) {
        format = command.format ?? command.target.format
        isRaw = command.loading.isRaw
        hasQuality = command.quality != nil
        editing = command.editing
        if let quality = command.quality { options.compressionQuality = Double(quality) / 100 }
    }

    /// Formats that cannot be written become PNG, which is lossless.
    func encode(
        _ result: LoadResult, by coder: any ImageCoder, until cancellation: CancellationFlag
    ) throws(WebImageError) -> (data: Data, format: ImageFormat) {
        let own = result.image.metadata.format
        let isWhole = !isRaw && !result.image.metadata.isThumbnail && editing.isEmpty
        let rewrites = hasQuality && WritableFormat.lossy.contains(own)
        if isWhole, !rewrites, format == nil || format == own, let data = result.data { return (data, own) }
        let format = format ?? (coder.canEncode(own) ? own : .png)
        let image = WritableFormat.moving.contains(format) ? result.image : result.image.firstFrame
        var options = options
        options.cancellation = cancellation
        let edited = try editing.edited(image, until: cancellation)
        return (try coder.encode(edited, to: format, options: options), format)
    }
}
