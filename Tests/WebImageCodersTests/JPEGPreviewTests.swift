import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Previews of progressive JPEG files")
struct JPEGPreviewTests {
    private static func decode(
        _ data: Data, box: PixelSize?, preview: Bool
    ) throws -> Bitmap {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = box
        options.decodesPreview = preview
        return try JPEGCoder().decode(data, options: options).bitmap
    }

    @Test(
        "a thumbnail of the first scans needs only a part of the file, and looks like the exact one",
        arguments: [8, 4, 2])
    func thumbnail(part: Int) throws {
        let data = try Fixtures.data("photo-progressive.jpg")
        let whole = try Self.decode(data, box: nil, preview: false).size
        let box = PixelSize(width: whole.width / part, height: whole.height / part)
        let exact = try Self.decode(data, box: box, preview: false)
        let preview = try Self.decode(data, box: box, preview: true)
        #expect(preview.size == exact.size)
        #expect(preview.bytes != exact.bytes)
        #expect(peakSignalToNoise(preview.bytes, exact.bytes) > 30)
        // Bytes after the sufficient scans are not read: a file that ends there gives the same picture.
        let needed = try #require(
            (1...9).first { tenth in
                let beginning = Data(data.prefix(data.count * tenth / 10))
                return (try? Self.decode(beginning, box: box, preview: true))?.bytes == preview.bytes
            })
        #expect(needed <= 8)
        #expect(throws: WebImageError.self) {
            try Self.decode(Data(data.prefix(data.count * needed / 10)), box: box, preview: false)
        }
    }

    @Test("A62 a small picture within the file is no source of thumbnails, and nothing is enlarged")
    func embeddedThumbnail() throws {
        func file(_ color: [UInt8], embeds: Bool) throws -> Data {
            var options = ImageEncodeOptions.best
            options.embedsThumbnail = embeds
            let size = PixelSize(width: 400, height: 300)
            let bitmap = try Bitmap(size: size, pixels: (0..<size.area).flatMap { _ in color })
            return try JPEGCoder().encode(Image(bitmap: bitmap), to: .jpeg, options: options)
        }
        // A blue picture with the small picture of a red one.
        let (red, blue) = (try file([255, 0, 0, 255], embeds: true), try file([0, 0, 255, 255], embeds: false))
        let start = try #require(red.firstRange(of: Data([0xFF, 0xE1]))).lowerBound
        let length = Int(red[start + 2]) << 8 | Int(red[start + 3])
        let segment = red[start..<start + 2 + length]
        #expect(segment.dropFirst(4).firstRange(of: Data([0xFF, 0xD8])) != nil)
        let data = blue.prefix(2) + segment + blue.dropFirst(2)
        for side in [1, 16, 100, 160, 5000] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: side, height: side)
            let image = try JPEGCoder().decode(data, options: options)
            #expect(image.pixelSize.width == min(side, 400))
            #expect(largestDifference(image.bitmap.pixel(0, 0), [0, 0, 255, 255]) <= 4)
        }
    }

    @Test("at full size, and of a baseline file, a preview is the exact picture")
    func exact() throws {
        let progressive = try Fixtures.data("photo-progressive.jpg")
        #expect(
            try Self.decode(progressive, box: nil, preview: true).bytes
                == Self.decode(progressive, box: nil, preview: false).bytes)
        let baseline = try Fixtures.data("photo.jpg")
        let box = PixelSize(width: 40, height: 40)
        #expect(
            try Self.decode(baseline, box: box, preview: true).bytes
                == Self.decode(baseline, box: box, preview: false).bytes)
    }
}
