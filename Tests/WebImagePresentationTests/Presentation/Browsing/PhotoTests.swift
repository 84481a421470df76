import FoundationEssentials
import Testing
import WebImageCore
import WebImagePresentation
import WebImageTesting

@testable import WebImageTestDoubles
@testable import WebImageTestLoads

@Suite("A photo of a browser", .timeLimit(.minutes(5)))
@MainActor
struct PhotoTests {
    private let bench = ManagerBench()

    private func photo(_ name: String = "a.jpg") throws -> Photo {
        let photo = Photo(url: try ManagerBench.url(name))
        photo.context.manager = bench.manager
        return photo
    }

    /// Returns when a load has ended.
    private func end(of photo: Photo, after start: () -> Void) async {
        let updates = photo.updates
        start()
        for await update in updates { if case .loadingDidEnd = update { return } }
    }

    @Test("MW-26 MW-28 MW-29 a photo of an address is loaded once, and tells its end in a later turn")
    func address() async throws {
        let photo = try photo()
        let updates = photo.updates
        photo.loadUnderlyingImage()
        photo.loadUnderlyingImage()
        #expect(photo.isLoading && photo.underlyingImage == nil)
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        for await update in updates { if case .loadingDidEnd = update { break } }
        #expect(photo.underlyingImage != nil && photo.error == nil && !photo.isLoading)
        #expect(bench.loader.loads.count == 1)
        photo.loadUnderlyingImage()
        #expect(!photo.isLoading)
    }

    @Test("MW-29 a picture in memory is there at once, and its end is told later all the same")
    func memory() async throws {
        let first = try photo()
        first.loadUnderlyingImage()
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        await end(of: first) {}
        let second = try photo()
        var ends = 0
        second.observe(as: first) { if case .loadingDidEnd = $0 { ends += 1 } }
        second.loadUnderlyingImage()
        #expect(second.underlyingImage != nil && ends == 0)
        await end(of: second) {}
        #expect(ends == 1)
    }

    @Test("MW-28 a photo of a picture is there, an empty one fails without a complaint, a video has its poster")
    func contents() async throws {
        let image = Photo(image: try Image.sample())
        image.loadUnderlyingImage()
        #expect(image.underlyingImage != nil && !image.isEmpty)
        let empty = Photo(.empty)
        await end(of: empty) { empty.loadUnderlyingImage() }
        #expect(empty.isEmpty && empty.underlyingImage == nil && empty.error != nil)
        let video = Photo(.video(url: { nil }, poster: try ManagerBench.url()))
        #expect(video.isVideo && !video.isEmpty && video.url != nil)
        #expect(Photo(.video(url: { nil }, poster: nil)).isEmpty)
    }

    @Test("MW-26 MW-29 a photo that the app brings: what it throws is the error of the photo")
    func closure() async throws {
        struct Refusal: Error {}
        let good = Photo(.closure { try Image.sample() })
        await end(of: good) { good.loadUnderlyingImage() }
        #expect(good.underlyingImage != nil)
        let bad = Photo(.closure { throw Refusal() })
        await end(of: bad) { bad.loadUnderlyingImage() }
        #expect(bad.underlyingImage == nil && bad.error?.underlying is Refusal)
        await end(of: bad) { bad.loadUnderlyingImage() }
    }

    @Test("MW-29 cancelling ends the transfer, keeps what is there, and tells nothing")
    func cancelled() async throws {
        let (photo, other) = (try photo(), Photo(.empty))
        var ends = 0
        photo.observe(as: other) { if case .loadingDidEnd = $0 { ends += 1 } }
        photo.loadUnderlyingImage()
        let transfer = try await bench.transfer()
        photo.cancelAnyLoading()
        try await transfer.waitForCancellation()
        #expect(!photo.isLoading && photo.error == nil && photo.progress == nil)
        // An end is told in a later turn, as that of another photo is.
        await end(of: other) { other.loadUnderlyingImage() }
        #expect(ends == 0)
    }

    @Test("MW-29 an unloaded photo lets go of its picture, which the cache keeps")
    func unloaded() async throws {
        let photo = try photo()
        photo.loadUnderlyingImage()
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        await end(of: photo) {}
        photo.unloadUnderlyingImage()
        #expect(photo.underlyingImage == nil && photo.imageFromMemory != nil)
        photo.loadUnderlyingImage()
        #expect(photo.underlyingImage != nil)
    }

    @Test("MW-29 a page holds its picture itself: memory does not get it, but the disk does")
    func page() async throws {
        let photo = try photo()
        photo.load(covering: .square(5))
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        await end(of: photo) {}
        #expect(photo.underlyingImage != nil)
        while bench.cache.disk[ManagerBench.key()] == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(bench.cache.memory.isEmpty)
    }

    @Test("MW-29 memory gets the picture of a page that no disk keeps, so that it is not loaded again")
    func pageWithoutFile() async throws {
        func page() throws -> Photo {
            let photo = try photo()
            photo.context.storeCacheType = .memory
            photo.context.originalStoreCacheType = .noCache
            photo.load(covering: .square(5))
            return photo
        }
        let first = try page()
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        await end(of: first) {}
        #expect(try page().underlyingImage != nil)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("S2-3 a page takes its picture from memory where that was loaded before")
    func pageFromMemory() async throws {
        let first = try photo()
        first.loadUnderlyingImage(covering: .square(5))
        try await bench.transfer().finish(ScriptedCoder.file(10, 10))
        await end(of: first) {}
        let second = try photo()
        second.load(covering: .square(5))
        #expect(second.underlyingImage != nil)
        #expect(bench.loader.loads.count == 1)
    }

    @Test("MW-27 the progress is told, from 0 to 1")
    func progress() async throws {
        let photo = try photo()
        let updates = photo.updates
        photo.loadUnderlyingImage()
        let transfer = try await bench.transfer()
        transfer.progress(30, of: 120)
        var part: Double?
        for await update in updates {
            guard case .progress(let value) = update else { continue }
            part = value
            break
        }
        #expect(part == 0.25 && photo.progress == 0.25)
        transfer.fail(.cancelled())
    }

    @Test("a failed load can be repeated, and a larger one replaces a smaller one")
    func sizes() async throws {
        let photo = try photo()
        photo.loadUnderlyingImage(covering: PixelSize(width: 100, height: 100))
        try await bench.transfer(1).fail(
            WebImageError(.transferFailed, stage: .load, kind: .transient, reason: "scripted"))
        await end(of: photo) {}
        #expect(photo.error != nil)
        photo.loadUnderlyingImage(covering: PixelSize(width: 100, height: 100))
        #expect(photo.error == nil && photo.isLoading)
        _ = try await bench.transfer(2)
        photo.loadUnderlyingImage(covering: PixelSize(width: 50, height: 50))
        #expect(bench.loader.loads.count == 2)
        photo.loadUnderlyingImage()
        #expect(photo.isLoading)
        photo.cancelAnyLoading()
    }

    @Test("the name of a photo's file comes from its address, with no folder in it")
    func fileName() throws {
        #expect(try photo("a%2Fb.jpg").fileName == "a_b.jpg" || photo("a%2Fb.jpg").fileName == "a%2Fb.jpg")
    }

    @Test("the bytes of a file's photo are those of the file, whatever size was decoded, and its name stays")
    func bytesOfFile() async throws {
        let path = TemporaryPath.make("sea.jpg")
        let data = BaselineJPEG(width: 300, height: 200).data()
        try data.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let photo = Photo(url: URL(filePath: path))
        let shown = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]))
        #expect(try await photo.fileData(of: shown) == data)
        #expect(photo.fileName.hasSuffix("sea.jpg"))
        try FileManager.default.removeItem(atPath: path)
        let error = await #expect(throws: WebImageError.self) { try await photo.fileData() }
        #expect(error?.code == .fileFailed && error?.reason.contains("cannot be read") == true)
    }

    @Test(
        "a photo without an address is written as PNG, and its name says so",
        arguments: [
            (nil, "photo.png"), ("../x", ".._x.png"), ("sea.jpg", "sea.png"), ("sea.PNG", "sea.PNG"),
            ("img.v2", "img.v2.png"), (".png", ".png.png"),
        ])
    func nameOfPicture(_ name: String?, _ file: String) async throws {
        let picture = Image(
            bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]),
            metadata: ImageMetadata(format: .jpeg))
        let photo = Photo(image: picture)
        photo.name = name
        photo.loadUnderlyingImage()
        #expect(photo.fileName == file)
        let data = try await photo.fileData()
        #expect(ImageFormat(sniffing: data) == .png)
        // Also after the photo was let go of, as while a dialog asks for the place.
        photo.unloadUnderlyingImage()
        #expect(try await photo.fileData() == data)
        #expect(try await Photo(.closure { picture }).fileData(of: picture) == data)
    }

    @Test("the full image has all pixels of the file, whatever its page has decoded; one that the photo holds is that")
    func fullImage() async throws {
        let path = TemporaryPath.make("large.jpg")
        try BaselineJPEG(width: 300, height: 200).data().write(to: URL(filePath: path))
        let photo = Photo(url: URL(filePath: path))
        photo.context.decodeOptions.thumbnailPixelSize = PixelSize(width: 40, height: 40)
        await end(of: photo) { photo.loadUnderlyingImage() }
        #expect(photo.underlyingImage?.pixelSize.width ?? 0 < 300)
        #expect(try await photo.fullImage().pixelSize == PixelSize(width: 300, height: 200))
        try FileManager.default.removeItem(atPath: path)
        await #expect(throws: WebImageError.self) { try await photo.fullImage() }
        let picture = Image(bitmap: try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [1, 2, 3, 255]))
        #expect(try await Photo(image: picture).fullImage() === picture)
    }
}
