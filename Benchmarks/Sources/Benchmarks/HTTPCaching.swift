import FoundationEssentials
import WebImage

/// A fresh picture by the rules of HTTP, against the same picture on disk without rules.
struct FreshAnswer: Benchmark {
    static let id = "http-cache-fresh"
    static let what = "fresh answer of the HTTP cache, from disk"

    private static let count = 200

    func run() async throws -> Measurement {
        let site = try CachedSite(count: Self.count, cacheControl: "max-age=86400")
        let outcome = try await Turns().compare {
            try await seconds { try await site.load(.http) } * 1e6 / Double(Self.count)
        } rival: {
            try await seconds { try await site.load(HTTPCachePolicy()) } * 1e6 / Double(Self.count)
        }
        return measurement(outcome, unit: "µs", rival: "a plain disk hit", goal: 1.2)
    }
}

/// Processor time of a load whose picture the server confirms, beyond that of the same picture on disk without rules; the
/// loader answers at once.
struct Validation: Benchmark {
    static let id = "http-cache-validation"
    static let what = "validation of a cached picture, own processor time beyond a plain disk hit"

    private static let count = 200

    func run() async throws -> Measurement {
        let site = try CachedSite(count: Self.count, cacheControl: "no-cache")
        let outcome = try await Turns().compare {
            let start = processorSeconds()
            try await site.load(.http)
            return (processorSeconds() - start) * 1e6 / Double(Self.count)
        } rival: {
            let start = processorSeconds()
            try await site.load(HTTPCachePolicy())
            return (processorSeconds() - start) * 1e6 / Double(Self.count)
        }
        var measurement = measurement(outcome, unit: "µs", rival: "a plain disk hit", ceiling: 30)
        measurement.ours = outcome.ours - outcome.rival
        return measurement
    }
}

/// Pictures of 20 KB on disk, and a server that confirms each of them.
private struct CachedSite {
    private let directory = TemporaryDirectory()
    private let manager: WebImageManager
    private let urls: [URL]

    init(count: Int, cacheControl: String) throws {
        let photo = try SamplePhoto(size: PixelSize(width: 300, height: 225)).jpeg(quality: 0.9)
        let fields = ["cache-control": cacheControl, "etag": "\"1\"", "content-type": "image/jpeg"]
        let cache = ImageCache(directory: directory.path)
        manager = WebImageManager(cache: cache, loader: ConfirmingLoader(data: photo, fields: fields))
        urls = (0..<count).compactMap { URL(string: "http://example.org/\($0).jpg") }
        let stored = fields.merging([":status": "200"]) { $1 }
        for url in urls {
            try cache.storeOnDiskBlocking(
                DiskCacheEntry(data: photo, headers: stored), for: CacheKey(url.absoluteString))
        }
    }

    /// Loads all pictures, one after the other, without memory.
    func load(_ policy: HTTPCachePolicy, _ options: WebImageOptions = []) async throws {
        var context = WebImageContext()
        context.httpCachePolicy = policy
        context.storeCacheType = .disk
        context.queryCacheType = .disk
        for url in urls {
            _ = try await manager.result(for: url, options: options.union(.waitStoreCache), context: context)
        }
    }
}

/// Answers conditional requests with 304, and others with the picture.
private struct ConfirmingLoader: ImageLoader {
    let data: Data
    let fields: [String: String]

    func canLoad(_ url: URL) -> Bool { true }

    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        receive(.finished(answer(request)))
        return NullTask()
    }

    private func answer(_ request: ImageLoadRequest) -> Result<ImageLoadResponse, WebImageError> {
        guard !request.validators.isEmpty else {
            let http = HTTPResponse(url: request.url, statusCode: 200, headers: fields)
            return .success(ImageLoadResponse(data: data, http: http))
        }
        var error = WebImageError(
            .cacheNotModified, stage: .load, kind: .permanent, reason: "it is current", statusCode: 304)
        error.response = HTTPResponse(url: request.url, statusCode: 304, headers: fields)
        return .failure(error)
    }
}
