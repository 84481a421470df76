import CPixels
import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Pixels of 16 bits a channel")
struct DeepPixelTests {
    /// Runs deep `channels` through the pipeline, as a decoder does.
    static func assemble(
        _ channels: [UInt16], size: PixelSize, orientation: ImageOrientation = .up, isOpaque: Bool = false,
        colors: CodedColors? = nil, profile: ColorProfile? = nil, asPicture: Bool = false, options: ImageDecodeOptions
    ) throws -> Bitmap {
        let geometry = ThumbnailGeometry(storedSourceSize: size, orientation: orientation, options: options)
        let source = PixelSource(size: size, layout: .rgba16, isOpaque: isOpaque, profile: profile, colors: colors)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        func copyRow(_ y: Int, to row: UnsafeMutablePointer<UInt8>) {
            channels.withUnsafeBytes { bytes in
                let rowLength = size.width * 8
                UnsafeMutableRawBufferPointer(start: row, count: rowLength)
                    .copyBytes(from: bytes[y * rowLength..<(y + 1) * rowLength])
            }
        }
        if asPicture {
            return try assembler.assemblePicture { base, bytesPerRow in
                for y in 0..<size.height { copyRow(y, to: base + y * bytesPerRow) }
            }
        }
        return try assembler.assembleRows { rows throws(WebImageError) in
            for y in 0..<size.height { try rows.withNext { copyRow(y, to: $0) } }
        }
    }

    static func options(
        _ format: PixelFormat, box: PixelSize? = nil, keepsAspectRatio: Bool = true
    ) -> ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.pixelFormat = format
        options.thumbnailPixelSize = box
        options.preservesAspectRatio = keepsAspectRatio
        return options
    }

    static func noise(_ size: PixelSize, isOpaque: Bool = false) -> [UInt16] {
        var random = SeededGenerator(seed: 11)
        return (0..<size.area * 4).map { index in
            let value = UInt16.random(in: 0...65_535, using: &random)
            return isOpaque && index % 4 == 3 ? 65_535 : value
        }
    }

    static let formats: [PixelFormat] = [.rgba8Premultiplied, .rgba8Straight, .rgba16Premultiplied, .rgba16Straight]

    @Test(
        "BCO-14 deep straight pixels stay as they are, in every orientation",
        arguments: ImageOrientation.allCases, [false, true])
    func exact(orientation: ImageOrientation, asPicture: Bool) throws {
        let size = PixelSize(width: 21, height: 37)
        let channels = Self.noise(size)
        let bitmap = try Self.assemble(
            channels, size: size, orientation: orientation, asPicture: asPicture, options: Self.options(.rgba16Straight)
        )
        #expect(bitmap.format == .rgba16Straight && bitmap.format.bytesPerPixel == 8)
        #expect(bitmap.byteCount == size.area * 8 && bitmap.bytesPerRow == bitmap.size.width * 8)
        #expect(!bitmap.isOpaque)
        // Other tests cover the 8-bit pipeline; the deep one must put the same numbers in the same places.
        let low = channels.map { UInt8(truncatingIfNeeded: $0) }
        let high = channels.map { UInt8($0 >> 8) }
        let places = try [low, high].map {
            try Bitmap.assembled(
                $0, size: size, orientation: orientation, options: Self.options(.rgba8Straight)
            ).bytes
        }
        let expected = zip(places[0], places[1]).map { low, high -> UInt16 in UInt16(low) | UInt16(high) << 8 }
        #expect(bitmap.channels == expected)
    }

    @Test("16 bits become 8 rounded to nearest, and 8 become 16 and the same 8 again")
    func depths() throws {
        let size = PixelSize(width: 64, height: 256)
        let channels = (0...65_535).map { UInt16($0) }
        let bitmap = try Self.assemble(channels, size: size, options: Self.options(.rgba8Straight))
        #expect(bitmap.bytes == channels.map { channel -> UInt8 in UInt8((Int(channel) * 255 + 32_767) / 65_535) })
        let wide = try Bitmap.assembled(bitmap.bytes, size: size, options: Self.options(.rgba16Straight))
        #expect(wide.channels == bitmap.bytes.map { UInt16($0) * 257 })
        #expect(try wide.converted(to: .rgba8Straight).bytes == bitmap.bytes)
    }

    @Test("deep premultiplication rounds to nearest, and division gives opaque colours back")
    func premultiplies() throws {
        let size = PixelSize(width: 50, height: 40)
        let channels = Self.noise(size)
        let bitmap = try Self.assemble(channels, size: size, options: Self.options(.rgba16Premultiplied))
        for pixel in stride(from: 0, to: channels.count, by: 4) {
            let alpha = channels[pixel + 3]
            let expected = channels[pixel..<pixel + 3].map {
                UInt16((Double($0) * Double(alpha) / 65_535).rounded())
            }
            #expect(Array(bitmap.channels[pixel..<pixel + 3]) == expected)
        }
        let opaque = Self.noise(size, isOpaque: true)
        let same = try Self.assemble(opaque, size: size, options: Self.options(.rgba16Premultiplied))
        #expect(same.isOpaque && same.channels == opaque)
        #expect(try same.converted(to: .rgba16Straight).channels == opaque)
    }

    @Test("HLP-6 a smaller copy keeps 16 bits a channel, and an even colour exactly", arguments: formats)
    func resized(format: PixelFormat) throws {
        let size = PixelSize(width: 90, height: 60)
        let color: [UInt16] = [12_345, 54_321, 33_333, 65_535]
        let even = Array(Array(repeating: color, count: size.area).joined())
        let bitmap = try Self.assemble(even, size: size, isOpaque: true, options: Self.options(format))
        for target in [
            PointSize(width: 31, height: 17), PointSize(width: 3, height: 2), PointSize(width: 120, height: 99),
        ] {
            let smaller = try #require(Image(bitmap: bitmap).resized(to: target, scaleMode: .fill)).bitmap
            #expect(smaller.format == format && smaller.isOpaque)
            let pixel = Array(bitmap.bytes.prefix(format.bytesPerPixel))
            let expected = Array(Array(repeating: pixel, count: smaller.size.area).joined())
            #expect(largestDifference(smaller.bytes, expected) == 0)
        }
    }

    @Test("a deep thumbnail equals the eight-bit one, within its precision", arguments: [false, true], [2, 5, 30])
    func thumbnails(isOpaque: Bool, side: Int) throws {
        let size = PixelSize(width: 83, height: 61)
        let narrow = Self.noise(size, isOpaque: isOpaque).map { UInt8($0 >> 8) }
        let wide = narrow.map { UInt16($0) * 257 }
        let box = PixelSize(width: side, height: side)
        let shallow = try Bitmap.assembled(
            narrow, size: size, isOpaque: isOpaque, options: Self.options(.rgba8Premultiplied, box: box))
        let deep = try Self.assemble(
            wide, size: size, isOpaque: isOpaque, options: Self.options(.rgba16Premultiplied, box: box))
        #expect(deep.size == shallow.size && deep.isOpaque == isOpaque)
        let rounded = deep.channels.map { UInt8((Int($0) * 255 + 32_767) / 65_535) }
        #expect(largestDifference(rounded, shallow.bytes) <= 1)
        // Of a picture that has 8 bits, the same.
        let widened = try Bitmap.assembled(
            narrow, size: size, isOpaque: isOpaque, options: Self.options(.rgba16Premultiplied, box: box))
        #expect(widened.channels == deep.channels)
    }

    @Test("a thumbnail has values between those of 8 bits")
    func smoothness() throws {
        let size = PixelSize(width: 256, height: 8)
        let ramp = (0..<size.area).flatMap { index -> [UInt16] in
            let value = UInt16(index % 256 * 257)
            return [value, value, value, 65_535]
        }
        let options = Self.options(.rgba16Straight, box: PixelSize(width: 200, height: 200))
        let bitmap = try Self.assemble(ramp, size: size, isOpaque: true, options: options)
        let row = stride(from: 0, to: 200 * 4, by: 4).map { bitmap.channels[$0] }
        #expect(row.filter { $0 % 257 != 0 }.count > 150)
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a cancellation is noticed between two deep rows")
    func cancellation() {
        var options = Self.options(.rgba16Straight)
        let flag = CancellationFlag()
        options.cancellation = flag
        flag.cancel()
        let size = PixelSize(width: 3, height: 3)
        let error = #expect(throws: WebImageError.self) {
            try Self.assemble(Self.noise(size), size: size, options: options)
        }
        #expect(error?.isCancelled == true)
    }

    @Test("a deep bitmap is mirrored as it is, and keeps its depth with a shape on it")
    func transformers() throws {
        let size = PixelSize(width: 5, height: 3)
        let channels = Self.noise(size, isOpaque: true)
        let bitmap = try Self.assemble(channels, size: size, options: Self.options(.rgba16Premultiplied))
        let flipped = try bitmap.flipped(horizontal: true, vertical: true)
        let pixels = stride(from: 0, to: channels.count, by: 4).map { Array(channels[$0..<$0 + 4]) }
        #expect(flipped.format == .rgba16Premultiplied && flipped.channels == Array(pixels.reversed().joined()))
        let rounded = try #require(Image(bitmap: bitmap).roundedCorners(radius: 1)).bitmap
        #expect(rounded.format == .rgba16Premultiplied && rounded.channels[3] < 65_535)
        let middle = (1 * size.width + 2) * 4
        #expect(rounded.channels[middle..<middle + 4] == channels[middle..<middle + 4])
    }

    @Test("HLP-4 conversion keeps all that the format can hold, and states the format", arguments: formats, formats)
    func conversions(from: PixelFormat, to: PixelFormat) throws {
        let size = PixelSize(width: 4, height: 2)
        let channels = Array(Array(repeating: [UInt16](arrayLiteral: 32_896, 257, 0, 32_896), count: 8).joined())
        let bitmap = try Self.assemble(channels, size: size, options: Self.options(from))
        let converted = try bitmap.converted(to: to)
        #expect(converted.format == to && converted.size == size && !converted.isOpaque)
        #expect((converted === bitmap) == (from == to))
        let expected = try Self.assemble(channels, size: size, options: Self.options(to))
        #expect(try largestDifference(converted.inEightBits().bytes, expected.inEightBits().bytes) <= 1)
    }

    @Test("a bitmap's bytes must be as many as its format needs")
    func byteCount() throws {
        let size = PixelSize(width: 1, height: 1)
        let bitmap = try Bitmap(size: size, format: .rgba16Straight, pixels: [1, 2, 3, 4, 5, 6, 255, 255])
        #expect(bitmap.isOpaque)
        #expect(try !Bitmap(size: size, format: .rgba16Straight, pixels: [1, 2, 3, 4, 5, 6, 254, 255]).isOpaque)
        #expect(throws: WebImageError.self) { try Bitmap(size: size, format: .rgba16Straight, pixels: [1, 2, 3, 4]) }
    }
}

extension Bitmap {
    /// All channels in order, of a deep bitmap.
    var channels: [UInt16] { withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) } }
}
