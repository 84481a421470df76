import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTestLoads
import WebImageTesting

@testable import WebImageTestDoubles

/// Two caches whose disks answer when the test says so, and a manager of both.
struct CachesFixture {
    let low = SuspendedCache(answersAtOnce: false)
    let high = SuspendedCache(answersAtOnce: false)
    let manager: ImageCachesManager
    let key = CacheKey("https://example.org/a.jpg")
    let recorder = QueryRecorder()
    let coder = ScriptedCoder()

    init() { manager = ImageCachesManager(caches: [low, high]) }

    /// A file of `width` × 1 pixels.
    func file(_ width: Int) -> Data { ScriptedCoder.file(width, 1) }

    @discardableResult
    func query(
        _ options: WebImageOptions = [], cacheType: ImageCacheType = .all,
        configure: (inout WebImageContext) -> Void = { _ in }
    ) -> ImageCacheToken? {
        manager.queryImage(
            for: key, options: options, context: .coder(coder, configure), cacheType: cacheType,
            completion: recorder.completion)
    }
}
