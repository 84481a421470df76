import Foundation
import WebImage
import WebImageCache
import WebImageCore
import WebImageMemcached

/// The parts of a service, put together by its settings.
struct ServiceParts {
    let service: PictureService

    init(_ settings: PictureServerSettings, _ coder: any ImageCoder) throws(PictureServerError) {
        let rules = try ServiceRules(settings)
        let metrics = ServiceMetrics()
        let limits = Self.limits(settings)
        let admission = Admission(
            limit: settings.queue ?? settings.workers * 64, clientLimit: settings.clientLimit)
        let queue = WorkQueue(workers: settings.workers)
        try Self.checkFolders(settings)
        let disk = Self.cache(settings)
        let fetcher = SourceFetcher(
            cache: disk, loader: try Self.loader(settings, rules.sources), coder: coder, limits: limits,
            timeout: .seconds(settings.timeout), defaultAge: settings.defaultAge)
        let maker = ResultMaker(
            coder: coder, limits: limits, timeout: .seconds(settings.timeout),
            maximumResultPixels: settings.maximumResultPixels,
            watermark: try Self.picture(settings.watermark, coder))
        let pipeline = ResultPipeline(
            store: ResultStore(disk: disk, fleet: Self.fleet(settings), turnSeconds: settings.turnTime),
            fetcher: fetcher, maker: maker,
            admission: admission, queue: queue, metrics: metrics, defaultAge: settings.defaultAge,
            patience: settings.turnTime + 2 * settings.timeout)
        service = PictureService(
            rules, pipeline: pipeline, admission: admission, queue: queue, metrics: metrics,
            log: try AccessLog(settings.accessLog), fallback: try FallbackPicture(settings.fallbackImage))
    }

    /// The caches alone.
    static func store(_ settings: PictureServerSettings) -> ResultStore {
        ResultStore(disk: cache(settings), fleet: fleet(settings), turnSeconds: settings.turnTime)
    }

    private static func limits(_ settings: PictureServerSettings) -> ImageLimits {
        var limits = ImageLimits()
        limits.maximumByteCount = settings.maximumSourceBytes
        limits.maximumSourcePixelCount = settings.maximumSourcePixels
        limits.maximumPixelCount = min(limits.maximumPixelCount, settings.maximumSourcePixels)
        limits.maximumFrameCount = settings.maximumFrames
        limits.maximumDecodeDuration = .seconds(settings.timeout)
        return limits
    }

    private static func cache(_ settings: PictureServerSettings) -> ImageCache {
        var config = ImageCacheConfig()
        config.shouldCacheImagesInMemory = false
        config.maxDiskSize = settings.cacheSize
        return ImageCache(
            directory: settings.cache ?? ImageCache.defaultDirectory + "/service", config: config)
    }

    /// A folder that is not there, or cannot be written, is told at the start.
    private static func checkFolders(_ settings: PictureServerSettings) throws(PictureServerError) {
        var isFolder: ObjCBool = false
        if let root = settings.localRoot {
            guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue else {
                throw PictureServerError("local-root: \(root) is no directory")
            }
        }
        if let cache = settings.cache {
            do {
                try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
            } catch {
                throw PictureServerError("cache: \(cache) cannot be made: \(error.localizedDescription)")
            }
            guard FileManager.default.isWritableFile(atPath: cache) else {
                throw PictureServerError("cache: \(cache) cannot be written")
            }
        }
    }

    private static func fleet(_ settings: PictureServerSettings) -> MemcachedTier? {
        guard !settings.memcached.isEmpty else { return nil }
        var memcached = MemcachedSettings()
        memcached.maximumByteCount = settings.memcachedItemBytes
        memcached.timeout = settings.memcachedTimeout
        memcached.prefix = "webimage-service"
        return MemcachedTier(servers: settings.memcached, settings: memcached)
    }

    private static func loader(
        _ settings: PictureServerSettings, _ sources: SourceRules
    ) throws(PictureServerError) -> any ImageLoader {
        ImageLoadersManager(
            loaders: sources.loaders(
                maximumByteCount: settings.maximumSourceBytes,
                timeout: .seconds(settings.timeout)) + [ExampleLoader()])
    }

    private static func picture(_ path: String?, _ coder: any ImageCoder) throws(PictureServerError) -> Image? {
        guard let path else { return nil }
        guard let data = FileManager.default.contents(atPath: path),
            let image = try? coder.decode(data, options: ImageDecodeOptions())
        else { throw PictureServerError("watermark: \(path) is no picture that can be read") }
        return image
    }
}
