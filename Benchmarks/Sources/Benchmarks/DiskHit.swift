import FoundationEssentials
import WebImage

/// A thumbnail from the disk cache through the whole manager, against reading and decoding the same file without a
/// cache.
struct DiskHit: Benchmark {
    static let id = "disk-hit"
    static let what = "disk hit to a 300 px thumbnail"

    private static let count = 200

    func run() async throws -> Measurement {
        let directory = TemporaryDirectory()
        let cache = ImageCache(directory: directory.path)
        let manager = WebImageManager(cache: cache, loader: ImageLoadersManager.shared)
        let photo = try SamplePhoto(size: PixelSize(width: 300, height: 225)).jpeg(quality: 0.9)
        var context = WebImageContext()
        context.thumbnailPixelSize = PixelSize(width: 300, height: 300)
        context.storeCacheType = .disk
        context.queryCacheType = .disk
        let urls = (0..<Self.count).compactMap { URL(string: "http://example.org/\($0).jpg") }
        try await fill(cache, manager: manager, urls: urls, photo: photo, context: context)
        let plain = directory.path + "/plain.jpg"
        try photo.write(to: URL(filePath: plain))

        let outcome = try await Turns().compare {
            try await seconds {
                for url in urls {
                    let result = try await manager.result(for: url, options: .fromCacheOnly, context: context)
                    precondition(result.cacheType == .disk, "not a disk hit")
                }
            } * 1e6 / Double(Self.count)
        } rival: {
            try seconds {
                for _ in urls {
                    let data = try Data(contentsOf: URL(filePath: plain))
                    _ = try ImageCodersManager.shared.decode(data, options: ImageDecodeOptions())
                }
            } * 1e6 / Double(Self.count)
        }
        return measurement(outcome, unit: "µs", rival: "read and decode the same file")
    }

    private func fill(
        _ cache: ImageCache, manager: WebImageManager, urls: [URL], photo: Data, context: WebImageContext
    ) async throws {
        for url in urls {
            await withCheckedContinuation { continuation in
                cache.storeOnDisk(DiskCacheEntry(data: photo), for: CacheKey(url.absoluteString)) { _ in
                    continuation.resume()
                }
            }
            _ = try await manager.result(for: url, options: [.fromCacheOnly, .waitStoreCache], context: context)
        }
    }
}
