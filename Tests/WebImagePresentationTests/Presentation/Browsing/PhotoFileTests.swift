import FoundationEssentials
import Glibc
import Synchronization
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImagePixels
import WebImagePresentation
import WebImageTesting

@testable import WebImageLoading
@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("The file of a photo", .timeLimit(.minutes(5)))
@MainActor
struct PhotoFileTests {
    private nonisolated static let file = BaselineJPEG(width: 300, height: 200).data()

    private let cache = ImageCache(memoryCache: MemoryCache(), diskCache: DictionaryDisk())
    private let loads = Loads()

    /// A photo whose address answers with `file`.
    private func photo(
        _ context: WebImageContext = WebImageContext(), _ options: WebImageOptions = [], of file: Data = file
    ) throws -> Photo {
        let loads = loads
        let photo = Photo(url: try ManagerBench.url("sea.jpg"))
        photo.context = context
        photo.options = options
        photo.context.manager = WebImageManager(
            cache: cache,
            loader: ClosureImageLoader { request in
                loads.append(request.options)
                return file
            })
        return photo
    }

    /// Loads the picture as a page of 60 × 40 pixels does.
    private func show(_ photo: Photo) async {
        let updates = photo.updates
        photo.loadUnderlyingImage(covering: PixelSize(width: 60, height: 40))
        for await update in updates { if case .loadingDidEnd = update { return } }
    }

    private var isOnDisk: Bool {
        get async throws { try await cache.data(for: ManagerBench.key("sea.jpg")) != nil }
    }

    @Test("the bytes come from the disk, whatever size is shown")
    func fromDisk() async throws {
        let photo = try photo()
        await show(photo)
        #expect(photo.underlyingImage?.metadata.isThumbnail == true)
        #expect(try await photo.fileData() == Self.file)
        #expect(loads.options.count == 1)
    }

    @Test("without a disk cache the bytes are loaded each time, and nothing is written")
    func memoryOnly() async throws {
        let photo = try photo(.cacheMemoryOnly)
        await show(photo)
        for count in 2...3 {
            #expect(try await photo.fileData() == Self.file)
            #expect(loads.options.count == count)
        }
        #expect(try await isOnDisk == false)
        #expect(try await photo.fullImage().pixelSize == PixelSize(width: 300, height: 200))
    }

    @Test("the bytes of a photo with a transformer are those of its file")
    func transformed() async throws {
        var context = WebImageContext()
        context.transformer = .flip(horizontal: true, vertical: false)
        let photo = try photo(context)
        #expect(try await photo.fileData() == Self.file)
        photo.context.manager?.transformer = .flip(horizontal: true, vertical: false)
        photo.context.transformer = nil
        #expect(try await photo.fileData() == Self.file)
        #expect(loads.options.count == 1)
    }

    @Test("the bytes of a photo that is too large to be decoded can be saved")
    func tooLarge() async throws {
        let photo = try photo()
        photo.context.decodeOptions.limits.maximumPixelCount = 10
        #expect(try await photo.fileData() == Self.file)
    }

    @Test("a file that is too large to be loaded is shown by its base, in sRGB, whatever colours it is to keep")
    func baseOfColours() async throws {
        let path = TemporaryPath.make("too-large.jpg")
        try Self.file.write(to: URL(filePath: path))
        defer { unlink(path) }
        let photo = Photo(url: URL(filePath: path))
        photo.context.manager = WebImageManager(cache: cache, loader: FileLoader(maximumByteCount: 100))
        photo.context.decodeOptions.decodesToWideGamut = true
        await show(photo)
        #expect(photo.underlyingImage != nil && photo.error == nil)
        #expect(photo.needsTiles && photo.hasTiles)
    }

    @Test("tiles keep to the tiers of the photo: nothing is written to the disk")
    func tilesInMemory() async throws {
        let photo = try photo(.cacheMemoryOnly)
        await show(photo)
        let tiled = try await photo.openTiles()
        #expect(tiled.pixelSize == PixelSize(width: 300, height: 200))
        tiled.close()
        await cache.flush()
        #expect(try await isOnDisk == false)
    }

    @Test("tiles are loaded with the options of the photo")
    func optionsOfTiles() async throws {
        let photo = try photo(.cacheMemoryOnly, [.allowInvalidSSLCertificates, .fromLoaderOnly])
        await show(photo)
        try await photo.openTiles().close()
        #expect(loads.options.count == 2)
        #expect(loads.options.allSatisfy { $0.contains(.allowInvalidSSLCertificates) })
        let refusing = try self.photo()
        refusing.context.decodeOptions.limits.maximumSourcePixelCount = 10
        let error = await #expect(throws: WebImageError.self) { try await refusing.openTiles() }
        #expect(error?.code == .limitExceeded)
    }

    @Test("a photo that keeps colours outside of sRGB has tiles of the same colours, once they are known")
    func tilesOfColours() async throws {
        let photo = try photo()
        #expect(photo.hasTiles)
        photo.context.decodeOptions.decodesToHDR = true
        #expect(!photo.hasTiles)
        photo.context.decodeOptions.decodesToHDR = false
        photo.context.decodeOptions.decodesToWideGamut = true
        #expect(!photo.hasTiles)
        await show(photo)
        #expect(photo.underlyingImage?.bitmap.colorSpace == .sRGB)
        #expect(photo.hasTiles)
        // One cache for both, in which the addresses are the same.
        await cache.clear()
        let wide = try self.photo(of: WidePicture.png([200, 100, 50], [WidePicture.codePoints]))
        wide.context.decodeOptions.decodesToWideGamut = true
        await show(wide)
        #expect(wide.underlyingImage?.bitmap.colorSpace == .displayP3)
        #expect(wide.hasTiles)
        let tiled = try await wide.openTiles(over: wide.underlyingImage)
        #expect(tiled.source.file.colorSpace == .displayP3)
        tiled.close()
    }

    @Test("the updates of a photo end with it")
    func endOfUpdates() async throws {
        var photo: Photo? = try photo()
        let updates = try #require(photo?.updates)
        photo = nil
        for await _ in updates { Issue.record("there was no load") }
    }
}

/// The options of all loads so far.
private final class Loads: Sendable {
    private let all = Mutex<[WebImageOptions]>([])

    var options: [WebImageOptions] { all.withLock { $0 } }

    func append(_ options: WebImageOptions) { all.withLock { $0.append(options) } }
}
