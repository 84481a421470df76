import FoundationEssentials
import Testing
import WebImageCache
import WebImageCore
import WebImageLoading
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache: the cost of a picture in memory")
struct CacheCostTests {
    private let memory = MemoryCache(costLimit: nil)

    private func cost(of image: Image, in memory: MemoryCache) throws -> Int {
        let cache = ImageCache(memoryCache: memory, diskCache: try CacheDirectory().cache())
        cache.storeInMemory(image, for: CacheKey("a"))
        return memory.statistics.byteCount
    }

    @Test("MEM-3 A35 an animation is charged with its file and its canvases, too")
    func animation() throws {
        for name in ["animated.gif", "animated.png", "animated.webp"] {
            let data = try Fixtures.data(name)
            let image = try Image(data: data)
            #expect(image.memoryCost == image.bitmap.byteCount)
            #expect(try cost(of: image, in: memory) == image.bitmap.byteCount + data.count)
            memory.removeAll()
            image.animation?.preloadAllFrames()
            #expect(try cost(of: image, in: memory) >= 3 * image.bitmap.byteCount + data.count)
            memory.removeAll()
        }
    }

    @Test("complaint 3: a small picture of a file that is larger than the memory is not kept")
    func largeFile() throws {
        final class Large: AnimatedImageProvider {
            let frameCount = 2
            let loopCount = 0
            let animatedImageData: Data? = Data(count: 1 << 20)
            func frame(at index: Int) throws(WebImageError) -> Bitmap {
                try Bitmap(size: .square(1), pixels: [0, 0, 0, 255])
            }
            func duration(at index: Int) -> Duration { .milliseconds(100) }
            func preloadAllFrames() {}
        }
        let image = Image(bitmap: try Image.sample().bitmap, animation: Large())
        #expect(try cost(of: image, in: MemoryCache(costLimit: 4 << 20)) == 0)
        #expect(try cost(of: image, in: MemoryCache(costLimit: 16 << 20)) == (1 << 20) + 4)
        #expect(try cost(of: try .sample(width: 3), in: MemoryCache(costLimit: 4 << 20)) == 12)
    }
}
