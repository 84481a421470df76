import Foundation
import Testing
import WebImageCache
import WebImageCoders
import WebImageCore
import WebImageHTTP
import WebImageLoading
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("An app's own coder", .timeLimit(.minutes(5)))
struct CustomCoderTests {
    /// Frames of one colour each.
    private static func file(frames: Int, width: Int = 40, height: Int = 20) -> Data {
        var data = Data("FLIP".utf8) + [UInt8(width), UInt8(height), UInt8(frames), 5]
        for index in 0..<frames {
            for _ in 0..<width * height { data += [UInt8(index * 20), 100, 200, 255] }
        }
        return data
    }

    private static func context() -> WebImageContext {
        var context = WebImageContext()
        context.coder = ImageCodersManager(coders: [FlipbookCoder()])
        return context
    }

    private func url(_ file: Data) throws -> URL {
        try #require(URL(string: "data:image/x-flipbook;base64,\(file.base64EncodedString())"))
    }

    @Test("S4-2 COD-6 the coder that was added last comes first, and decides")
    func precedence() throws {
        let manager = ImageCodersManager(coders: [])
        let file = Self.file(frames: 1)
        #expect(throws: WebImageError.self) { try manager.decode(file, options: ImageDecodeOptions()) }
        manager.add(FlipbookCoder())
        #expect(try manager.decode(file, options: ImageDecodeOptions()).metadata.format == FlipbookCoder.format)
        manager.add(ScriptedCoder())
        // It recognises all bytes and fails, and no other coder is asked.
        #expect(throws: WebImageError.self) { try manager.decode(file, options: ImageDecodeOptions()) }
        manager.removeAll(ofType: ScriptedCoder.self)
        #expect(try manager.decode(file, options: ImageDecodeOptions()).pixelSize == PixelSize(width: 40, height: 20))
    }

    @Test("A61 S4-16 animations follow the same order, and players get the coder's frames and durations")
    func frames() throws {
        let manager = ImageCodersManager(coders: [GIFCoder(), FlipbookCoder()])
        let animation = try manager.makeAnimation(of: Self.file(frames: 4), options: ImageDecodeOptions())
        #expect(animation.frameCount == 4)
        #expect(animation.duration(at: 2) == .milliseconds(50))
        #expect(try animation.frame(at: 3).bytes[0] == 60)
        #expect(throws: WebImageError.self) { try animation.frame(at: 4) }
    }

    @Test("S4-3 a load decodes, reduces and caches an app's own format like any other")
    func loading() async throws {
        let directory = try CacheDirectory()
        let manager = WebImageManager(cache: ImageCache(directory: directory.path), loader: DataURLLoader())
        var context = Self.context()
        context.thumbnailPixelSize = PixelSize(width: 20, height: 20)
        let url = try url(Self.file(frames: 3))
        let first = try await manager.result(for: url, context: context)
        #expect(first.image.pixelSize == PixelSize(width: 20, height: 10))
        #expect(first.image.animation?.frameCount == 3)
        #expect(try first.image.animation?.frame(at: 2).size == PixelSize(width: 20, height: 10))
        let second = try await manager.result(for: url, context: context)
        #expect(second.cacheType == .memory)
        #expect(second.image === first.image)
    }

    @Test(
        "S4-18 COD-5 A60 an app's own animation grows while it arrives, and has no frames beyond the arrived ones")
    func progress() throws {
        let file = Self.file(frames: 3)
        let decoder = ImageCodersManager(coders: [FlipbookCoder()]).makeProgressiveDecoder(
            options: ImageDecodeOptions())
        var counts: [Int] = []
        for start in stride(from: 0, to: file.count, by: 700) {
            guard let image = try decoder.update(Data(file.dropFirst(start).prefix(700))) else { continue }
            #expect(image.metadata.isIncremental)
            counts.append(image.metadata.frameCount)
            if let animation = image.animation {
                #expect(throws: WebImageError.self) { try animation.frame(at: animation.frameCount) }
            }
        }
        #expect(counts == [1, 2, 3])
    }

    /// A coder around another one, as an app writes it to count or log the calls.
    private struct WrappingCoder: ImageCoder {
        let wrapped: any ImageCoder
        var progressiveCoder: (any ProgressiveImageCoder)? { wrapped.progressiveCoder }
        var animatedCoder: (any AnimatedImageCoder)? { wrapped.animatedCoder }

        func canDecode(_ data: Data) -> Bool { wrapped.canDecode(data) }

        func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
            try wrapped.properties(of: data, isComplete: isComplete)
        }

        func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
            try wrapped.decode(data, options: options)
        }
    }

    @Test("a coder around another one keeps its animations and partial pictures")
    func wrapping() throws {
        let manager = ImageCodersManager(coders: [WrappingCoder(wrapped: FlipbookCoder())])
        let file = Self.file(frames: 3)
        #expect(try manager.makeAnimation(of: file, options: ImageDecodeOptions()).frameCount == 3)
        #expect(manager.canDecodeProgressively(file))
        let decoder = manager.makeProgressiveDecoder(options: ImageDecodeOptions())
        #expect(try decoder.update(Data(file.prefix(4000)))?.metadata.isIncremental == true)
    }

    @Test("the size of the result is that of the box or of the byte limit")
    func outputSize() {
        var options = ImageDecodeOptions()
        let size = PixelSize(width: 400, height: 200)
        #expect(options.outputSize(for: size) == size)
        options.thumbnailPixelSize = PixelSize(width: 100, height: 100)
        #expect(options.outputSize(for: size) == PixelSize(width: 100, height: 50))
        options.scaleDownLimitBytes = 4 * 2 * 800
        #expect(options.outputSize(for: size, frameCount: 4) == PixelSize(width: 28, height: 14))
    }
}
