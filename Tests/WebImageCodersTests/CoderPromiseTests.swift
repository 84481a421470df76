import FoundationEssentials
import Glibc
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImageCoders
@testable import WebImageTestDoubles

/// Guarantees for callers, common to all formats.
@Suite("Promises of coders")
struct CoderPromiseTests {
    static let files = [
        "photo.jpg", "photo-progressive.jpg", "photo-small.png", "translucent.png", "lossless.webp", "lossy-alpha.webp",
        "palette-interlaced.gif", "animated.gif", "animated.png", "animated.webp",
    ]

    private static func options(isThumbnail: Bool) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        if isThumbnail { options.thumbnailPixelSize = PixelSize(width: 20, height: 20) }
        return options
    }

    @Test(
        "DOP-7 THB-8 A77 HLP-9 HLP-13 pixels exist when the decode returns, also when the file is gone",
        arguments: files)
    func pixelsAreThere(name: String) throws {
        let file = try Fixtures.data(name)
        for isThumbnail in [false, true] {
            let expected = try ImageCodersManager.shared.decode(file, options: Self.options(isThumbnail: isThumbnail))
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 16)
            defer { copy.deallocate() }
            copy.copyBytes(from: file)
            let base = try #require(copy.baseAddress)
            let view = Data(bytesNoCopy: base, count: file.count, deallocator: .none)
            let image = try ImageCodersManager.shared.decode(view, options: Self.options(isThumbnail: isThumbnail))
            memset(base, 0, file.count)
            #expect(image.bitmap.bytes == expected.bitmap.bytes && image.metadata.isThumbnail == isThumbnail)
        }
    }

    @Test(
        "HLP-3 all pixels have the form that is drawn without a copy: RGBA of eight bits, premultiplied",
        arguments: files)
    func form(name: String) throws {
        for isThumbnail in [false, true] {
            let image = try ImageCodersManager.shared.decode(
                Fixtures.data(name), options: Self.options(isThumbnail: isThumbnail))
            let bitmaps = try [image.bitmap] + (image.animation.map { [try $0.frame(at: $0.frameCount - 1)] } ?? [])
            for bitmap in bitmaps {
                #expect(bitmap.format == .rgba8Premultiplied && bitmap.colorSpace == .sRGB)
                #expect(bitmap.bytesPerRow % 4 == 0 && bitmap.bytesPerRow >= bitmap.size.width * 4)
                bitmap.withUnsafeBytes { #expect(UInt(bitPattern: $0.baseAddress) % 64 == 0) }
            }
        }
    }

    @Test("THB-5 a thumbnail is made of the picture, not of the file's own thumbnail")
    func embeddedThumbnail() throws {
        func file(_ color: [UInt8], width: Int, height: Int) throws -> Data {
            let pixels = [[UInt8]](repeating: color, count: width * height).flatMap { $0 }
            let bitmap = try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
            return try JPEGCoder().encode(Image(bitmap: bitmap), to: .jpeg, options: ImageEncodeOptions.best)
        }
        let (red, blue): ([UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 0, 255, 255])
        let segment = EXIFThumbnail.segment(around: try file(blue, width: 16, height: 12))
        let count = segment.count + 2
        let picture = try file(red, width: 160, height: 120)
        let both =
            picture.prefix(2) + Data([0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)]) + segment
            + picture.dropFirst(2)
        for side in [160, 16, 8, 1] {
            var options = ImageDecodeOptions()
            options.thumbnailPixelSize = PixelSize(width: side, height: side)
            let thumbnail = try JPEGCoder().decode(Data(both), options: options).bitmap
            #expect(thumbnail.size.width == side && thumbnail.pixel(0, 0)[0] > 240 && thumbnail.pixel(0, 0)[2] < 15)
        }
    }

    @Test("COD-2 each decoder has its own file, and shows nothing more after its end")
    func decoders() throws {
        let names = ["photo-progressive.jpg", "photo-small.png", "palette-interlaced.gif", "lossy.webp"]
        let files = try names.map { try Fixtures.data($0) }
        for (first, second) in zip(files, files.dropFirst() + files.prefix(1)) {
            // Two of the same coder, too.
            for pair in [[first, second], [first, first]] {
                let decoders = pair.map { _ in ImageCodersManager.shared.makeProgressiveDecoder(options: .storedPixels)
                }
                var last: [Image?] = [nil, nil]
                for start in stride(from: 0, to: pair.map(\.count).max() ?? 0, by: 300) {
                    for (index, file) in pair.enumerated() where start < file.count {
                        let piece = file.dropFirst(start).prefix(300)
                        if let image = try decoders[index].update(Data(piece)) { last[index] = image }
                    }
                }
                for (index, file) in pair.enumerated() {
                    let whole = try ImageCodersManager.shared.decode(file, options: .storedPixels).bitmap
                    #expect(last[index]?.bitmap.bytes == whole.bytes)
                    #expect(try decoders[index].update(Data(repeating: 7, count: 500)) == nil)
                }
            }
        }
    }

    @Test("MET-8 metadata and decode options of a picture can be given to another one, and each copy is independent")
    func metadata() throws {
        var metadata = ImageMetadata(format: .gif, frameCount: 3, loopCount: 2, isThumbnail: true)
        metadata.isIncremental = true
        metadata.isTransformed = true
        metadata.extendedData = Data([1, 2])
        let bitmap = try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 255])
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 1, height: 1)
        let first = Image(bitmap: bitmap, metadata: metadata, decodeOptions: options)
        let second = Image(bitmap: bitmap, metadata: first.metadata, decodeOptions: first.decodeOptions)
        #expect(second.metadata == metadata && second.decodeOptions == options)
        metadata.extendedData?.append(3)
        metadata.loopCount = 9
        #expect(first.metadata.loopCount == 2 && first.metadata.extendedData == Data([1, 2]))
        #expect(second.metadata == first.metadata && second.metadata != metadata)
    }
}
