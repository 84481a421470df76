import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@Suite("Reading AVIF, HEIC and JPEG XL")
struct CoderDecodingTests {
    @Test("headers tell size, depth and alpha", arguments: CoderCase.writable)
    func properties(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 67, height: 45))
        let properties = try #require(try format.coder.properties(of: data, isComplete: true))
        #expect(
            properties
                == ImageProperties(format: format.format, pixelSize: PixelSize(width: 67, height: 45)))
        for count in 0..<min(data.count, 400) {
            if let early = try format.coder.properties(of: data.prefix(count), isComplete: false) {
                #expect(early == properties, "after \(count) bytes")
            }
        }
    }

    @Test("bytes of these formats are taken, others are not", arguments: CoderCase.writable)
    func sniffing(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 8, height: 8))
        #expect(format.coder.canDecode(data))
        #expect(format.coder.canDecode(data.prefix(ImageFormat.sniffedByteCount)))
        #expect(format.coder.canDecode(format.format))
        for others in CoderCase.writable where others.format != format.format {
            #expect(!others.coder.canDecode(data))
        }
        #expect(!format.coder.canDecode(Data()))
        let manager = ImageCodersManager(coders: CoderCase.all.map(\.coder))
        #expect(try manager.decode(data, options: ImageDecodeOptions()).metadata.format == format.format)
    }

    @Test(
        "thumbnails have the exact size, and the quality of the reduced whole picture",
        arguments: CoderCase.writable)
    func thumbnails(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 300, height: 201))
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 50, height: 50)
        let image = try format.coder.decode(data, options: options)
        #expect(image.pixelSize == PixelSize(width: 50, height: 34))
        #expect(image.metadata.isThumbnail)
        #expect(image.metadata.originalPixelSize == PixelSize(width: 300, height: 201))
        let whole = try format.coder.decode(data, options: ImageDecodeOptions())
        let smaller = try #require(whole.resized(to: PointSize(width: 50, height: 34), scaleMode: .fill))
        #expect(peakSignalToNoise(image.bitmap.bytes, smaller.bitmap.bytes) > 40)
        options.preservesAspectRatio = false
        #expect(try format.decode(data, options).size == PixelSize(width: 50, height: 50))
    }

    @Test("a limit of bytes makes the picture smaller", arguments: CoderCase.writable)
    func limitBytes(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 100, height: 80))
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = 8000
        let bitmap = try format.decode(data, options)
        #expect(bitmap.byteCount <= 8000 && bitmap.byteCount > 6000)
    }

    @Test("limits are checked on the header, also for a thumbnail", arguments: CoderCase.writable)
    func limits(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 100, height: 80))
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 10, height: 10)
        options.limits.maximumPixelCount = 7999
        #expect(throws: WebImageError.self) { try format.decode(data, options) }
        do { _ = try format.decode(data, options) } catch let error as WebImageError {
            #expect(error.code == .limitExceeded)
            #expect(error.reason.contains("maximumPixelCount"))
        }
        options.limits.maximumPixelCount = 8000
        #expect(try format.decode(data, options).size.width == 10)
        options.limits.maximumSourcePixelCount = 7999
        #expect(throws: WebImageError.self) { try format.decode(data, options) }
    }

    @Test("a cancelled decode ends", arguments: CoderCase.writable)
    func cancellation(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 32, height: 32))
        var options = ImageDecodeOptions()
        let flag = CancellationFlag()
        flag.cancel()
        options.cancellation = flag
        let error = #expect(throws: WebImageError.self) { try format.decode(data, options) }
        #expect(error?.code == .cancelled)
    }

    @Test("a file that was cut at any point is an error", arguments: CoderCase.writable)
    func truncation(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 90, height: 60))
        for length in stride(from: 0, to: data.count - 1, by: max(1, data.count / 200)) {
            let error = #expect(throws: WebImageError.self, "\(length) of \(data.count) bytes") {
                try format.decode(data.prefix(length))
            }
            #expect(error?.code == .truncatedImageData || error?.code == .badImageData)
        }
    }

    @Test("damaged files decode or fail, and the process lives", arguments: CoderCase.writable)
    func mutants(format: CoderCase) throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 20
        for isOpaque in [true, false] {
            let data = try format.encode(SmoothPicture.make(width: 40, height: 30, isOpaque: isOpaque))
            var mutator = FileMutator(seed: 7)
            for _ in 0..<1500 {
                let mutant = mutator.mutate(data)
                _ = try? format.coder.properties(of: mutant, isComplete: true)
                _ = try? format.decode(mutant, options)
            }
        }
    }

    @Test("a slice of other bytes is read from its own beginning", arguments: CoderCase.writable)
    func slices(format: CoderCase) throws {
        let data = try format.encode(SmoothPicture.make(width: 20, height: 20))
        let slice = (Data([1, 2, 3]) + data).dropFirst(3)
        #expect(try format.decode(slice).bytes == format.decode(data).bytes)
    }
}
