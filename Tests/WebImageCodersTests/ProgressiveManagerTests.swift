import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Progressive decoding by the coders manager")
struct ProgressiveManagerTests {
    @Test(
        "OPT-2 the manager's decoder finds the coder by the first bytes, in pieces of any size",
        arguments: [1, 31, 5000])
    func choosing(chunkSize: Int) throws {
        let manager = ImageCodersManager.shared
        for name in ["photo.jpg", "photo-progressive.jpg"] {
            let data = try Fixtures.data(name)
            #expect(manager.canDecodeProgressively(data.prefix(3)))
            let partials = try ProgressiveJPEGTests.partials(of: data, chunkSize: chunkSize, coder: manager)
            let own = try ProgressiveJPEGTests.partials(of: data, chunkSize: max(32, chunkSize))
            #expect(partials.count >= own.count)
            let whole = try manager.decode(data, options: ImageDecodeOptions())
            #expect(partials.last?.bitmap.bytes == whole.bitmap.bytes)
        }
    }

    @Test("a file without a progressive coder shows no parts")
    func others() throws {
        let picture = try PNGCoder().decode(Fixtures.data("photo-small.png"), options: ImageDecodeOptions())
        let data = try BMPCoder().encode(picture, to: .bmp, options: ImageEncodeOptions())
        #expect(!ImageCodersManager.shared.canDecodeProgressively(data))
        #expect(try ProgressiveJPEGTests.partials(of: data, chunkSize: 9, coder: ImageCodersManager.shared).isEmpty)
    }

    @Test("bytes of no picture show nothing, and throw nothing")
    func noPicture() throws {
        let page = Data("<!doctype html><title>Not found</title><p>There is no such picture.".utf8)
        for data in [page, Data(), page.prefix(5)] {
            #expect(!ImageCodersManager.shared.canDecodeProgressively(data))
            #expect(try ProgressiveJPEGTests.partials(of: data, chunkSize: 2, coder: ImageCodersManager.shared).isEmpty)
        }
    }

    @Test("a coder that recognises its files late is asked again as bytes arrive, up to 4,096")
    func lateCoder() throws {
        for (count, isKnown) in [(100, true), (4000, true), (5000, false)] {
            let manager = ImageCodersManager(coders: [JPEGCoder(), LateCoder(leastCount: count)])
            let decoder = manager.makeProgressiveDecoder(options: ImageDecodeOptions())
            var widths: [Int] = []
            for _ in 0..<80 {
                if let image = try decoder.update(Data(count: 100)) { widths.append(image.pixelSize.width) }
            }
            // The first piece contains all earlier bytes.
            #expect(widths.first == (isKnown ? count : nil) && widths.count == (isKnown ? 81 - count / 100 : 0))
            #expect(try manager.properties(of: Data(count: 99), isComplete: false) == nil)
        }
        #expect(throws: WebImageError.self) {
            try ImageCodersManager(coders: [JPEGCoder()]).properties(of: Data(count: 4096), isComplete: false)
        }
    }

    @Test("a coder that failed is not asked again")
    func failing() throws {
        let coder = ScriptedProgressiveCoder()
        let decoder = ImageCodersManager(coders: [coder]).makeProgressiveDecoder(options: ImageDecodeOptions())
        let noPicture = Data("no picture:".utf8) + Data(count: 100)
        #expect(throws: WebImageError.self) { try decoder.update(noPicture) }
        #expect(try decoder.update(Data("a".utf8)) == nil)
        #expect(coder.updates.count == 1)
    }

    @Test("the coder that will decode the whole decides whether a part is shown")
    func precedence() throws {
        let data = try Fixtures.data("photo.jpg")
        let manager = ImageCodersManager(coders: [JPEGCoder(), ScriptedCoder()])
        #expect(!manager.canDecodeProgressively(data))
        #expect(try ProgressiveJPEGTests.partials(of: data, chunkSize: 100, coder: manager).isEmpty)
    }
}

/// Recognises its files by a late byte, and shows the number of its bytes.
private struct LateCoder: ProgressiveImageCoder {
    let leastCount: Int

    private final class Decoder: ProgressiveImageDecoder {
        func update(_ newBytes: Data) throws(WebImageError) -> Image? {
            let size = PixelSize(width: newBytes.count, height: 1)
            return Image(bitmap: try Bitmap(size: size, pixels: [UInt8](repeating: 0, count: size.area * 4)))
        }
    }

    func canDecode(_ data: Data) -> Bool { data.count >= leastCount }
    func canDecodeProgressively(_ data: Data) -> Bool { canDecode(data) }
    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder { Decoder() }
    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? { nil }
    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image { throw .cancelled() }
}
