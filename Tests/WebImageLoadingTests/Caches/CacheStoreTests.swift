import FoundationEssentials
import Glibc
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageLoading
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Image cache: storing pictures and files", .timeLimit(.minutes(5)))
struct CacheStoreTests {
    private let directory: CacheDirectory
    private let coder = ScriptedCoder()
    private let key = CacheKey("https://example.org/a.jpg")

    init() throws { directory = try CacheDirectory() }

    private func cache(_ fileSystem: any FileSystem = POSIXFileSystem()) -> ImageCache {
        ImageCache(memoryCache: MemoryCache(), diskCache: directory.cache(fileSystem))
    }

    /// The bytes under the key, as seen by another process.
    private func fileData() throws -> Data? { try directory.cache().entry(for: key)?.data }

    @Test(
        "CAC-6 T4.06 T4.07 T4.08 T4.51 a picture goes into the named tiers: memory at once, the disk until the completion",
        arguments: [ImageCacheType.all, .memory, .disk, .noCache])
    func tiers(cacheType: ImageCacheType) async throws {
        let cache = cache()
        let image = try Image.sample(width: 3)
        let outcome = Observed<[Bool]>([])
        cache.store(image, for: key, context: .coder(coder), cacheType: cacheType) { result in
            outcome.update { $0.append((try? result.get()) != nil) }
        }
        #expect((cache.imageFromMemory(for: key) === image) == cacheType.contains(.memory))
        // The completion has already been called.
        if !cacheType.contains(.disk) { #expect(outcome.value == [true]) }
        try await outcome.wait { $0 == [true] }
        #expect((try fileData() != nil) == cacheType.contains(.disk))
        #expect(coder.encodeCount == (cacheType.contains(.disk) ? 1 : 0))
    }

    @Test("CAC-6 T4.40 a file alone goes to the disk, and not into memory")
    func dataOnly() async throws {
        let cache = cache()
        let data = try Fixtures.data("photo.jpg")
        try await cache.store(ImageCacheRecord(key, data: data))
        #expect(cache.imageFromMemory(for: key) == nil)
        #expect(try fileData() == data)
        #expect(try await cache.queryImage(for: key)?.image.pixelSize.isEmpty == false)
    }

    @Test("CAC-6 a picture with its file: the file is written as it is")
    func both() async throws {
        let cache = cache()
        let data = Data("the file".utf8)
        try await cache.store(ImageCacheRecord(key, image: .sample(), data: data, context: .coder(coder)))
        #expect(try fileData() == data)
        #expect(cache.imageFromMemory(for: key) != nil)
        #expect(coder.encodeCount == 0)
    }

    @Test("CAC-6 storing nothing ends at once")
    func nothing() throws {
        let outcome = Observed(0)
        cache().store(ImageCacheRecord(key)) { _ in outcome.update { $0 += 1 } }
        #expect(outcome.value == 1)
        #expect(directory.files.isEmpty)
    }

    @Test("CCF-2 CAC-6 without memory, a picture is stored on disk alone")
    func withoutMemory() async throws {
        var config = ImageCacheConfig()
        config.shouldCacheImagesInMemory = false
        let cache = ImageCache(directory: directory.path, config: config)
        try await cache.store(ImageCacheRecord(key, image: .sample(), data: Data("file".utf8)))
        #expect(cache.imageFromMemory(for: key) == nil)
        #expect(try fileData() == Data("file".utf8))
    }

    @Test(
        "CAC-7 T4.42 a picture without a file is encoded in its own format, as PNG with transparency, as JPEG, as GIF for frames"
    )
    func formats() async throws {
        let opaque = try Image.plain(2, 2)
        let clear = Image(bitmap: try Bitmap(size: .square(1), pixels: [0, 0, 0, 0]))
        func image(_ image: Image, _ format: ImageFormat, frames: Int = 1) -> Image {
            Image(
                bitmap: image.bitmap, metadata: ImageMetadata(format: format, frameCount: frames),
                animation: frames > 1 ? ScriptedFrames(image.bitmap, frames) : nil)
        }
        let cases: [(Image, ImageFormat)] = [
            (opaque, .jpeg), (clear, .png), (image(opaque, .webP), .webP), (image(clear, .jpeg), .png),
            (image(opaque, .gif), .png), (image(clear, .gif), .png), (image(opaque, .bmp), .png),
            (image(opaque, .undefined, frames: 5), .gif),
            (image(clear, .webP, frames: 2), .webP), (image(opaque, .jpeg, frames: 2), .gif),
        ]
        for (image, format) in cases {
            let coder = ScriptedCoder()
            try await cache().store(ImageCacheRecord(key, image: image, context: .coder(coder), cacheType: .disk))
            #expect(coder.encodedFormats == [format])
        }
    }

    @Test(
        "CAC-7 S4-20 the disk returns the pixels of memory, also for a GIF's still picture with soft edges")
    func softEdges() async throws {
        let pixels: [UInt8] = [100, 10, 20, 128, 0, 0, 0, 0]
        let bitmap = try Bitmap(size: PixelSize(width: 2, height: 1), pixels: pixels)
        for format in [ImageFormat.gif, .bmp, .png] {
            let image = Image(bitmap: bitmap, metadata: ImageMetadata(format: format))
            try await cache().store(ImageCacheRecord(key, image: image, cacheType: .disk))
            let file = try #require(try fileData())
            let again = try ImageCodersManager.shared.decode(file, options: ImageDecodeOptions())
            #expect(again.bitmap.bytes == pixels)
        }
    }

    @Test("CAC-6 T4.42 an animation's own file is written instead of a new encode")
    func animationFile() async throws {
        let animation = AnimationWithFile()
        let image = Image(bitmap: try Image.sample().bitmap, animation: animation)
        try await cache().store(ImageCacheRecord(key, image: image, context: .coder(coder)))
        #expect(try fileData() == animation.animatedImageData)
        #expect(coder.encodeCount == 0)
    }

    @Test(
        "CAC-7 an animation with only its first frame is no still picture: without its file, storing it is an error"
    )
    func animationWithoutFrames() async throws {
        var metadata = ImageMetadata(format: .png, frameCount: 3)
        metadata.loopCount = 1
        let image = Image(bitmap: try Image.sample().bitmap, metadata: metadata)
        let error = await #expect(throws: WebImageError.self) {
            try await cache().store(ImageCacheRecord(key, image: image, cacheType: .disk))
        }
        #expect(error?.code == .encodeFailed)
        #expect(error?.reason.contains("3 frames") == true)
        #expect(directory.files.isEmpty)
    }

    @Test("CAC-7 with real encoders, a stored picture is found again")
    func realEncoders() async throws {
        let cache = cache()
        let photo = try JPEGCoder().decode(Fixtures.data("photo.jpg"), options: ImageDecodeOptions())
        try await cache.store(ImageCacheRecord(key, image: photo))
        #expect(ImageFormat(sniffing: try #require(try fileData())) == .jpeg)
        #expect(try cache.imageFromDiskBlocking(for: key)?.pixelSize == photo.pixelSize)
        let clear = Image(bitmap: try Bitmap(size: .square(1), pixels: [0, 0, 0, 0]))
        try await cache.store(ImageCacheRecord(key, image: clear))
        #expect(ImageFormat(sniffing: try #require(try fileData())) == .png)
    }

    @Test("CAC-7 frames without a file are encoded with the picture")
    func realAnimation() async throws {
        let cache = cache()
        let frames = try [Image.sample().bitmap, Image.sample().bitmap].map {
            ImageFrame(bitmap: $0, duration: .milliseconds(200))
        }
        let image = try #require(Image(frames: frames, loopCount: 2))
        try await cache.store(ImageCacheRecord(key, image: image, cacheType: .disk))
        let stored = try #require(try cache.imageFromDiskBlocking(for: key))
        #expect(stored.metadata.format == .gif && stored.animation?.frameCount == 2 && stored.metadata.loopCount == 2)
    }

    @Test("CAC-6 a failure of the coder is reported, where SDWebImage keeps silent; the old file stays")
    func encodeFailure() async throws {
        let cache = cache()
        try await cache.store(ImageCacheRecord(key, data: Data("old".utf8)))
        let failing = ScriptedCoder(willEncode: { () throws(WebImageError) in
            throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "no ink")
        })
        let error = await #expect(throws: WebImageError.self) {
            try await cache.store(ImageCacheRecord(key, image: .sample(), context: .coder(failing)))
        }
        #expect(error?.reason == "no ink")
        #expect(try await cache.data(for: key) == Data("old".utf8))
    }

    @Test("MET-7 CAC-17 T4.47 A40 extended data are stored, found and removed with a picture")
    func extendedData() async throws {
        let cache = cache()
        var metadata = ImageMetadata()
        metadata.extendedData = Data("own".utf8)
        let image = Image(bitmap: try Image.sample().bitmap, metadata: metadata)
        try await cache.store(ImageCacheRecord(key, image: image))
        await cache.clear(.memory)
        #expect(try await cache.queryImage(for: key)?.image.metadata.extendedData == Data("own".utf8))
        try await cache.store(ImageCacheRecord(key, image: .sample()))
        #expect(try cache.imageFromDiskBlocking(for: key)?.metadata.extendedData == nil)
    }

    @Test("CAC-8 the disk on the calling thread comes behind earlier calls; also from a completion")
    func blocking() async throws {
        let cache = cache()
        cache.storeOnDisk(.sample(seed: 1), for: key, completion: nil)
        try cache.storeOnDiskBlocking(.sample(seed: 2), for: key)
        #expect(try fileData() == DiskCacheEntry.sample(seed: 2).data)
        try cache.removeFromDiskBlocking(for: key)
        #expect(directory.files.isEmpty)
        let written = Gate()
        cache.storeOnDisk(.sample(seed: 3), for: key) { _ in
            #expect(throws: Never.self) { try cache.storeOnDiskBlocking(.sample(seed: 4), for: key) }
            written.open()
        }
        try await written.wait()
        #expect(try fileData() == DiskCacheEntry.sample(seed: 4).data)
    }

    @Test("CAC-12 a removal on the calling thread reports its failure")
    func blockingFailure() async throws {
        let fileSystem = FaultyFileSystem()
        let cache = cache(fileSystem)
        try cache.storeOnDiskBlocking(.sample(), for: key)
        fileSystem.fail(.remove, with: EACCES)
        let error = #expect(throws: WebImageError.self) { try cache.removeFromDiskBlocking(for: key) }
        #expect(error?.code == .accessDenied)
        #expect(try await cache.data(for: key) != nil)
    }
}

/// An animation with its file.
private final class AnimationWithFile: AnimatedImageProvider {
    let frameCount = 2
    let loopCount = 0
    let animatedImageData: Data? = Data("GIF89a…".utf8)

    func frame(at index: Int) throws(WebImageError) -> Bitmap { try Bitmap(size: .square(1), pixels: [0, 0, 0, 255]) }
    func duration(at index: Int) -> Duration { .milliseconds(100) }
    func preloadAllFrames() {}
}
