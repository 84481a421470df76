import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageJXL
import WebImageTestSupport

@Suite("JPEG XL in pieces")
struct JXLProgressTests {
    private static let file = Result {
        var options = ImageEncodeOptions.best
        options.compressionQuality = 0.9
        let bitmap = try SmoothPicture.make(width: 700, height: 600)
        return try JXLCoder().encode(Image(bitmap: bitmap), to: .jpegXL, options: options)
    }

    @Test(
        "the picture is shown before it is complete, and ends like the whole decode", arguments: [100, 1000, 100_000])
    func steps(chunk: Int) throws {
        let data = try Self.file.get()
        let looks = try Self.feed(data, chunk: chunk)
        let whole = try JXLCoder().decode(data, options: ImageDecodeOptions())
        #expect(looks.count <= 3)
        #expect(looks.allSatisfy { $0.metadata.isIncremental && $0.pixelSize == whole.pixelSize })
        #expect(looks.last?.bitmap.bytes == whole.bitmap.bytes)
        if chunk < data.count / 20 {
            #expect(looks.count >= 2)
            #expect(looks.first.map { peakSignalToNoise($0.bitmap.bytes, whole.bitmap.bytes) > 15 } == true)
        }
    }

    @Test("partial pictures have the size of the requested thumbnail")
    func thumbnails() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 70, height: 70)
        let looks = try Self.feed(Self.file.get(), chunk: 500, options)
        let whole = try JXLCoder().decode(Self.file.get(), options: options)
        #expect(looks.last?.bitmap.bytes == whole.bitmap.bytes)
        #expect(looks.allSatisfy { $0.pixelSize == PixelSize(width: 70, height: 60) })
    }

    @Test("damaged files show their intact part, and the process lives")
    func mutants() throws {
        let data = try JXLCoder().encode(
            Image(bitmap: SmoothPicture.make(width: 60, height: 50)), to: .jpegXL, options: ImageEncodeOptions.best)
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 1 << 20
        var mutator = FileMutator(seed: 11)
        for _ in 0..<800 { _ = try? Self.feed(mutator.mutate(data), chunk: 97, options) }
    }

    @Test("bytes after an error or the end are ignored")
    func afterTheEnd() throws {
        let data = try Self.file.get()
        let decoder = JXLCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
        #expect(try decoder.update(data) != nil)
        #expect(try decoder.update(data) == nil)
        let failed = JXLCoder().makeProgressiveDecoder(options: ImageDecodeOptions())
        #expect(throws: WebImageError.self) {
            try failed.update(Data([0xFF, 0x0A] + [UInt8](repeating: 0xFF, count: 99)))
        }
        #expect(try failed.update(data) == nil)
    }

    private static func feed(
        _ data: Data, chunk: Int, _ options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws -> [Image] {
        let decoder = JXLCoder().makeProgressiveDecoder(options: options)
        return try stride(from: 0, to: data.count, by: chunk).compactMap { start in
            try decoder.update(data.dropFirst(start).prefix(chunk))
        }
    }
}
