import FoundationEssentials
import Testing
import WebImageCoders
import WebImageCore
import WebImageTestSupport

@testable import WebImageTIFF

@Suite("TIFF")
struct TIFFCoderTests {
    private static let size = PixelSize(width: 5, height: 3)

    private func pixels(isOpaque: Bool) -> [UInt8] {
        var pixels: [UInt8] = []
        for index in 0..<UInt8(15) { pixels += [index * 7, 255 - index * 5, index * 3, isOpaque ? 255 : index * 17] }
        return pixels
    }

    private func encoded(isOpaque: Bool) throws -> Data {
        let bitmap = try Bitmap(size: Self.size, format: .rgba8Straight, pixels: pixels(isOpaque: isOpaque))
        return try TIFFCoder().encode(Image(bitmap: bitmap), to: .tiff, options: ImageEncodeOptions())
    }

    private static var plain: TIFFBuilder {
        TIFFBuilder(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255])
    }

    @Test("a directory that claims more strips than the file can list is refused at once")
    func claimedStrips() {
        var file = TIFFBuilder(width: 1, height: 1 << 29, bits: [8], photometric: 1, pixels: [0, 0])
        file.tags = [278: 1]
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 10, height: 10)
        let error = #expect(throws: WebImageError.self) { try TIFFCoder().decode(file.data, options: options) }
        #expect(error?.code == .badImageData || error?.code == .truncatedImageData)
    }

    @Test("TIFF is written and read again, with alpha if there is any", arguments: [false, true])
    func roundTrip(isOpaque: Bool) throws {
        let data = try encoded(isOpaque: isOpaque)
        #expect(ImageFormat(sniffing: data) == .tiff)
        let image = try TIFFCoder().decode(data, options: .storedPixels)
        #expect(image.bitmap.bytes == pixels(isOpaque: isOpaque) && image.bitmap.isOpaque == isOpaque)
        let properties = try TIFFCoder().properties(of: data, isComplete: true)
        #expect(properties?.hasAlpha == !isOpaque && properties?.bitsPerChannel == 8 && properties?.frameCount == 1)
    }

    @Test("16 bits are written as they are and read as they are, in any compression")
    func deepRoundTrip() throws {
        for (isOpaque, compression) in [
            (true, ImageEncodeOptions.TIFFCompression.uncompressed), (false, .lzw), (true, .deflate),
        ] {
            let values = (0..<UInt16(15)).flatMap { index -> [UInt16] in
                [index * 4001, .max - index * 77, index &* 9999, isOpaque ? .max : index * 4000 + 1]
            }
            let bytes = values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
            let bitmap = try Bitmap(size: Self.size, format: .rgba16Straight, pixels: bytes)
            var encoding = ImageEncodeOptions()
            encoding.tiffCompression = compression
            let data = try TIFFCoder().encode(Image(bitmap: bitmap), to: .tiff, options: encoding)
            #expect(try TIFFCoder().properties(of: data, isComplete: true)?.bitsPerChannel == 16)
            var options = ImageDecodeOptions.storedPixels
            options.pixelFormat = .rgba16Straight
            let deep = try TIFFCoder().decode(data, options: options).bitmap
            #expect(deep.format == .rgba16Straight && deep.isOpaque == isOpaque && deep.bytes == bytes)
            let narrow = try TIFFCoder().decode(data, options: .storedPixels).bitmap
            #expect(narrow.bytes == values.map { value -> UInt8 in UInt8((UInt32(value) + 128) / 257) })
        }
    }

    @Test("compression makes files smaller, and changes no pixels")
    func compressions() throws {
        let bitmap = try SmoothPicture.make(width: 128, height: 64)
        var options = ImageEncodeOptions()
        let files = try [ImageEncodeOptions.TIFFCompression.uncompressed, .lzw, .deflate].map { compression in
            options.tiffCompression = compression
            return try TIFFCoder().encode(Image(bitmap: bitmap), to: .tiff, options: options)
        }
        #expect(files[0].count >= 128 * 64 * 3 && files[1].count < files[0].count && files[2].count < files[1].count)
        for file in files { #expect(try TIFFCoder().decode(file, options: .storedPixels).bitmap.bytes == bitmap.bytes) }
    }

    @Test("deep samples of 12 bits, floats, grey with white as 0 and multiplied alpha keep their values")
    func deepKinds() throws {
        var options = ImageDecodeOptions.storedPixels
        options.pixelFormat = .rgba16Straight
        func values(_ file: TIFFBuilder) throws -> [UInt16] {
            try TIFFCoder().decode(file.data, options: options).bitmap.withUnsafeBytes {
                Array($0.bindMemory(to: UInt16.self))
            }
        }
        var file = TIFFBuilder(width: 2, height: 1, bits: [12], photometric: 1, pixels: [0xFF, 0xF8, 0x00])
        #expect(try values(file) == [65_535, 65_535, 65_535, 65_535, 32_776, 32_776, 32_776, 65_535])
        file = TIFFBuilder(width: 1, height: 1, bits: [32], photometric: 1, pixels: [0, 0, 0, 0x3F])
        file.tags[339] = 3
        #expect(try values(file) == [32_768, 32_768, 32_768, 65_535])
        file = TIFFBuilder(width: 1, height: 1, bits: [16], photometric: 0, pixels: [1, 0])
        #expect(try values(file) == [65_534, 65_534, 65_534, 65_535])
        file = TIFFBuilder(width: 1, height: 1, bits: [16, 16, 16, 16], pixels: [0, 0x20, 0, 0x40, 0, 0, 0, 0x80])
        file.tags[338] = 1
        #expect(try values(file) == [16_384, 32_768, 0, 32_768])
        // 8-bit samples are multiplied by 257.
        #expect(try values(Self.plain) == [65_535, 0, 0, 65_535, 0, 0, 65_535, 65_535])
    }

    @Test("any page can be read, and a missing one is an error", arguments: [false, true])
    func otherPages(isBig: Bool) throws {
        var file = Self.plain
        (file.pageCount, file.isBig, file.lastPageHeight) = (3, isBig, 2)
        file.pixels += [0, 255, 0, 9, 9, 9]
        file.tags[278] = 2
        var options = ImageDecodeOptions.storedPixels
        let heights = try (0..<3).map { index in
            options.pageIndex = index
            return try TIFFCoder().decode(file.data, options: options).pixelSize.height
        }
        #expect(heights == [1, 1, 2])
        for index in [-1, 3, 1 << 40] {
            options.pageIndex = index
            let error = #expect(throws: WebImageError.self) { try TIFFCoder().decode(file.data, options: options) }
            #expect(error?.code == .badImageData && error?.reason.contains("page \(index)") == true)
        }
    }

    @Test("of several pages the first is shown, and all are counted", arguments: [false, true])
    func pages(isBig: Bool) throws {
        var file = Self.plain
        (file.pageCount, file.isBig) = (3, isBig)
        let properties = try TIFFCoder().properties(of: file.data, isComplete: true)
        #expect(properties?.frameCount == 3 && properties?.frameDurations.isEmpty == true)
        let image = try TIFFCoder().decode(file.data, options: .storedPixels)
        #expect(image.bitmap.bytes == [255, 0, 0, 255, 0, 0, 255, 255])
        #expect(!image.isAnimated && image.metadata.format == .tiff)
    }

    @Test("premultiplied and straight alpha are distinguished")
    func alpha() throws {
        var file = TIFFBuilder(width: 1, height: 1, bits: [8, 8, 8, 8], pixels: [100, 50, 0, 128])
        for (kind, expected) in [(2, [100, 50, 0, 128]), (1, [199, 99, 0, 128]), (0, [100, 50, 0, 255])] {
            file.tags[338] = kind
            let image = try TIFFCoder().decode(file.data, options: .storedPixels)
            #expect(image.bitmap.bytes.map(Int.init) == expected)
        }
    }

    @Test("grey with white as 0, palettes of 16-bit colours, and samples of 12 bits")
    func kinds() throws {
        var file = TIFFBuilder(width: 1, height: 1, bits: [8], photometric: 0, pixels: [0, 0])
        #expect(try TIFFCoder().decode(file.data, options: .storedPixels).bitmap.bytes == [255, 255, 255, 255])
        file = TIFFBuilder(width: 2, height: 1, bits: [12], photometric: 1, pixels: [0xFF, 0xF8, 0x00])
        #expect(
            try TIFFCoder().decode(file.data, options: .storedPixels).bitmap.bytes
                == [255, 255, 255, 255, 128, 128, 128, 255])
        file = TIFFBuilder(width: 1, height: 1, bits: [32], photometric: 1, pixels: [0, 0, 0, 0x3F])
        file.tags[339] = 3
        #expect(try TIFFCoder().decode(file.data, options: .storedPixels).bitmap.bytes == [128, 128, 128, 255])
    }

    @Test("numbers with a sign are shifted up by half of their range, except bytes, which count as unsigned")
    func signs() throws {
        for (bits, pixels, expected) in [
            (8, [0x80, 0, 0x7F], [128, 0, 127]), (16, [0, 0x80, 0, 0, 0xFF, 0x7F], [0, 128, 255]),
            (32, [0, 0, 0, 0x80, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F], [0, 128, 255]),
        ] as [(Int, [UInt8], [UInt8])] {
            var file = TIFFBuilder(width: 3, height: 1, bits: [bits], photometric: 1, pixels: pixels)
            file.tags[339] = 2
            let bitmap = try TIFFCoder().decode(file.data, options: .storedPixels).bitmap
            #expect(bitmap.bytes == expected.flatMap { [$0, $0, $0, 255] }, "\(bits) bits")
        }
    }

    @Test(
        "a compression unknown to libtiff, and samples that make no grey, are unsupported, and no damage",
        arguments: [
            (8, [259: 34_712], "34712 (JPEG 2000)"), (8, [259: 50_002], "(JPEG XL)"), (8, [259: 33_000], "33000"),
            (64, [339: 1], "integers of 64 bits"), (64, [339: 2], "integers of 64 bits"),
            (64, [339: 6], "complex of 64 bits"), (32, [339: 5], "complex of 32 bits"),
        ])
    func otherKinds(bits: Int, tags: [Int: Int], says: String) {
        let pixels = [UInt8](repeating: 1, count: 2 * bits / 8)
        let file = TIFFBuilder(width: 2, height: 1, bits: [bits], photometric: 1, tags: tags, pixels: pixels)
        let decode = #expect(throws: WebImageError.self) { try TIFFCoder().decode(file.data, options: .storedPixels) }
        let header = #expect(throws: WebImageError.self) { try TIFFCoder().properties(of: file.data, isComplete: true) }
        for error in [decode, header] {
            let reason = error?.reason ?? ""
            #expect(reason.contains("of a kind that is not read") && reason.contains(says), "\(reason)")
        }
    }

    @Test("a thumbnail has the size of its box, also of a rotated picture")
    func thumbnail() throws {
        var file = TIFFBuilder(width: 40, height: 20, pixels: [UInt8](repeating: 77, count: 2400))
        file.tags[274] = 6
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 10, height: 10)
        options.limits.maximumPixelCount = 100
        let image = try TIFFCoder().decode(file.data, options: options)
        #expect(image.pixelSize == PixelSize(width: 5, height: 10) && image.bitmap.pixel(2, 2) == [77, 77, 77, 255])
        options.preservesAspectRatio = false
        #expect(try TIFFCoder().decode(file.data, options: options).pixelSize == PixelSize(width: 10, height: 10))
    }

    @Test("A75b a box larger than the picture keeps the orientation, and an SVG of a few bytes is known")
    func largeBox() throws {
        var file = Self.plain
        file.tags[274] = 8
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 100, height: 50)
        let image = try TIFFCoder().decode(file.data, options: options)
        #expect(image.pixelSize == PixelSize(width: 1, height: 2))
        #expect(image.bitmap.pixel(0, 0) == [0, 0, 255, 255] && image.bitmap.pixel(0, 1) == [255, 0, 0, 255])
        #expect(ImageFormat(sniffing: Data("<svg/>".utf8)) == .svg)
    }

    @Test("a file that was cut at any point is an error")
    func truncation() throws {
        for data in [try encoded(isOpaque: false), Self.plain.data] {
            for count in 0..<data.count - 4 {
                #expect(throws: WebImageError.self, "\(count) of \(data.count)") {
                    try TIFFCoder().decode(data.prefix(count), options: ImageDecodeOptions())
                }
            }
        }
        var short = Self.plain
        short.tags[279] = 600
        short.height = 100
        let error = #expect(throws: WebImageError.self) {
            try TIFFCoder().decode(short.data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .truncatedImageData)
    }

    @Test("files damaged at random decode or fail, and nothing worse", arguments: 1...3)
    func mutations(seed: Int) throws {
        var files = [try encoded(isOpaque: false), try encoded(isOpaque: true), Self.plain.data]
        var big = Self.plain
        (big.isBig, big.pageCount) = (true, 2)
        files.append(big.data)
        var mutator = FileMutator(seed: UInt64(seed))
        for round in 0..<1200 {
            let mutant = mutator.mutate(files[round % files.count])
            var options = round.isMultiple(of: 3) ? ImageDecodeOptions.storedPixels : ImageDecodeOptions()
            if round.isMultiple(of: 2) { options.thumbnailPixelSize = PixelSize(width: 1 + round % 20, height: 4) }
            options.limits.maximumPixelCount = 1 << 16
            options.limits.maximumSourcePixelCount = 1 << 16
            _ = try? TIFFCoder().properties(of: mutant, isComplete: true)
            guard let image = try? TIFFCoder().decode(mutant, options: options) else { continue }
            #expect(!image.pixelSize.isEmpty)
        }
    }

    @Test("the claims of a directory are checked before memory is allocated")
    func limits() {
        var file = Self.plain
        (file.width, file.height) = (100_000, 100_000)
        let error = #expect(throws: WebImageError.self) {
            try TIFFCoder().decode(file.data, options: ImageDecodeOptions())
        }
        #expect(error?.code == .limitExceeded)
        // A tile that is larger than its picture.
        file = Self.plain
        file.tags = [322: 1 << 20, 323: 1 << 20, 324: 8, 325: 6]
        for tag in [273, 278, 279] { file.tags[tag] = 0 }
        #expect(throws: WebImageError.self) { try TIFFCoder().decode(file.data, options: ImageDecodeOptions()) }
    }

    @Test("a decode without any waiting load stops")
    func cancellation() throws {
        var options = ImageDecodeOptions()
        options.cancellation = CancellationFlag()
        options.cancellation?.cancel()
        let error = #expect(throws: WebImageError.self) { try TIFFCoder().decode(Self.plain.data, options: options) }
        #expect(error?.isCancelled == true)
    }

    @Test("BCO-1 FMT-2 registered with the manager, it answers for TIFF by bytes and by hint")
    func registered() throws {
        let manager = ImageCodersManager(coders: [JPEGCoder(), TIFFCoder()])
        #expect(manager.canDecode(.tiff) && manager.canEncode(.tiff))
        #expect(try manager.decode(Self.plain.data, options: ImageDecodeOptions()).metadata.format == .tiff)
        // A hint selects the coder for bytes that do not identify it; those of a TIFF need none, and a wrong one is
        // harmless.
        var options = ImageDecodeOptions()
        options.formatHint = .format(.jpeg)
        #expect(try manager.decode(Self.plain.data, options: options).metadata.format == .tiff)
        options.formatHint = .format(.tiff)
        let error = #expect(throws: WebImageError.self) { try manager.decode(Data("IX*".utf8), options: options) }
        #expect(error?.reason.contains("TIFF") == true)
    }

    @Test("more pages than the limit allows are an error that names it, not a smaller number")
    func pageLimit() throws {
        // A directory without entries is six bytes: the number 0, and the offset of the next one.
        var file = Data([0x49, 0x49, 42, 0, 8, 0, 0, 0])
        let count = 300
        for index in 0..<count {
            let next = index == count - 1 ? 0 : 8 + (index + 1) * 6
            file += [0, 0, UInt8(next & 255), UInt8(next >> 8), 0, 0]
        }
        var options = ImageDecodeOptions()
        options.limits.maximumFrameCount = count - 1
        for page in [0, count - 1] {
            options.pageIndex = page
            let error = #expect(throws: WebImageError.self) {
                if page > 0 { _ = try TIFFCoder().decode(file, options: options) }
                _ = try TIFFCoder().properties(of: file, isComplete: true, options: options)
            }
            #expect(error?.code == .limitExceeded && error?.reason.contains("maximumFrameCount") == true)
        }
    }

    @Test("invalid colours of CIE's kind are black, and nothing worse")
    func noColors() {
        let color = LabColor(bitsPerSample: 32, isICC: false)
        #expect(color.sRGB(.nan, 0, 0) == [0, 0, 0])
        #expect(color.sRGB(0.5, .infinity, -.infinity).count == 3)
        #expect(color.sRGB(1, 0, 0).allSatisfy { $0 >= 254 })
    }
}
