import FoundationEssentials
import WebImage

/// A cache that is always empty, and a loader and a coder that answer at once: the rest of a load is the manager's
/// work.
final class NullCache: ImageCaching {
    func imageFromMemory(for key: CacheKey) -> Image? { nil }
    func storeInMemory(_ image: Image, for key: CacheKey) {}
    func queryDisk(
        for key: CacheKey, priority: LoadPriority,
        completion: @escaping @Sendable (Result<DiskCacheEntry?, WebImageError>) -> Void
    ) -> any CancellableTask {
        completion(.success(nil))
        return NullTask()
    }
    func queryDiskBlocking(for key: CacheKey) throws(WebImageError) -> DiskCacheEntry? { nil }
    func storeOnDisk(
        _ entry: DiskCacheEntry, for key: CacheKey, completion: (@Sendable (Result<Void, WebImageError>) -> Void)?
    ) { completion?(.success(())) }
    func remove(for key: CacheKey, from tiers: ImageCacheType, completion: (@Sendable () -> Void)?) { completion?() }
    func clear(_ tiers: ImageCacheType, completion: (@Sendable () -> Void)?) { completion?() }
}

final class NullTask: CancellableTask {
    func cancel() {}
}

struct NullLoader: ImageLoader {
    let data: Data

    func canLoad(_ url: URL) -> Bool { true }
    func load(
        _ request: ImageLoadRequest, receive: @escaping @Sendable (ImageLoadEvent) -> Void
    ) -> any CancellableTask {
        receive(.finished(.success(ImageLoadResponse(data: data))))
        return NullTask()
    }
}

final class NullCoder: ImageCoder {
    private let image: Image

    init(image: Image) { self.image = image }

    func canDecode(_ data: Data) -> Bool { true }
    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }
    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image { image }
    func canEncode(_ format: ImageFormat) -> Bool { false }
    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data { Data() }
}
