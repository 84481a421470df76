import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport
import WebImageTesting

@testable import WebImageTestDoubles

@Suite("Pixel assembler")
struct PixelAssemblerTests {
    private static func noise(_ size: PixelSize, seed: UInt64 = 3) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<size.area * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static var straight: ImageDecodeOptions {
        var options = ImageDecodeOptions()
        options.pixelFormat = .rgba8Straight
        return options
    }

    @Test("straight pixels of the full size are exactly the decoder's", arguments: PixelDelivery.allCases)
    func straightIsExact(delivery: PixelDelivery) throws {
        let size = PixelSize(width: 67, height: 35)
        let pixels = Self.noise(size)
        let bitmap = try Bitmap.assembled(pixels, size: size, delivery: delivery, options: Self.straight)
        #expect(bitmap.bytes == pixels)
        #expect(bitmap.format == .rgba8Straight)
        #expect(!bitmap.isOpaque)
    }

    @Test(
        "HLP-5 A64 A70 every orientation puts every pixel in its upright place", arguments: ImageOrientation.allCases,
        PixelDelivery.allCases)
    func orientations(orientation: ImageOrientation, delivery: PixelDelivery) throws {
        // More than two strips of 16 rows, the last one cut.
        let size = PixelSize(width: 21, height: 37)
        let pixels = Self.noise(size)
        let bitmap = try Bitmap.assembled(
            pixels, size: size, orientation: orientation, delivery: delivery, options: Self.straight)
        #expect(bitmap.size == orientation.apply(to: size))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (right, bottom) = (size.width - 1 - x, size.height - 1 - y)
                let (seenX, seenY) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right, y)
                    case .down: (right, bottom)
                    case .downMirrored: (x, bottom)
                    case .leftMirrored: (y, x)
                    case .right: (bottom, x)
                    case .rightMirrored: (bottom, right)
                    case .left: (y, right)
                    }
                let index = (y * size.width + x) * 4
                #expect(bitmap.pixel(seenX, seenY) == Array(pixels[index..<index + 4]))
            }
        }
    }

    @Test("premultiplication rounds to nearest for every colour and alpha")
    func premultiplies() throws {
        let size = PixelSize(width: 256, height: 256)
        var pixels: [UInt8] = []
        for alpha in UInt8.min...UInt8.max {
            for value in UInt8.min...UInt8.max { pixels += [value, 255, 0, alpha] }
        }
        let bitmap = try Bitmap.assembled(pixels, size: size, options: ImageDecodeOptions())
        for alpha in 0..<256 {
            for value in 0..<256 {
                let expected = UInt8((Double(value * alpha) / 255).rounded())
                #expect(bitmap.pixel(value, alpha) == [expected, UInt8(alpha), 0, UInt8(alpha)])
            }
        }
    }

    @Test("a bitmap knows that it is opaque, whether the decoder knew it or not", arguments: [true, false])
    func opaqueness(isOpaque: Bool) throws {
        let size = PixelSize(width: 40, height: 30)
        var pixels = Self.noise(size)
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
        var options = ImageDecodeOptions()
        #expect(try Bitmap.assembled(pixels, size: size, isOpaque: isOpaque, options: options).isOpaque)
        options.thumbnailPixelSize = PixelSize(width: 7, height: 7)
        #expect(try Bitmap.assembled(pixels, size: size, isOpaque: isOpaque, options: options).isOpaque)
    }

    @Test("a decoder that stops early gives an error and no picture")
    func missingRows() throws {
        let size = PixelSize(width: 4, height: 4)
        let geometry = ThumbnailGeometry(storedSourceSize: size, orientation: .up, options: ImageDecodeOptions())
        let assembler = PixelAssembler(
            source: PixelSource(size: size, isOpaque: true), geometry: geometry, options: ImageDecodeOptions())
        let error = #expect(throws: WebImageError.self) {
            try assembler.assembleRows { rows throws(WebImageError) in
                try rows.withNext { $0.update(repeating: 0, count: 16) }
            }
        }
        #expect(error?.code == .truncatedImageData)
        #expect(error?.reason.contains("last 3 of 4 rows") == true)
    }

    @Test("a cancellation is noticed between two rows")
    func cancellation() throws {
        let size = PixelSize(width: 4, height: 100)
        let flag = CancellationFlag()
        var options = ImageDecodeOptions()
        options.cancellation = flag
        let geometry = ThumbnailGeometry(storedSourceSize: size, orientation: .up, options: options)
        let assembler = PixelAssembler(
            source: PixelSource(size: size, isOpaque: true), geometry: geometry, options: options)
        var filledRows = 0
        let error = #expect(throws: WebImageError.self) {
            try assembler.assembleRows { rows throws(WebImageError) in
                while rows.remaining > 0 {
                    try rows.withNext { row in
                        row.update(repeating: 0, count: 16)
                        filledRows += 1
                        if filledRows == 10 { flag.cancel() }
                    }
                }
            }
        }
        #expect(error?.isCancelled == true)
        #expect(filledRows == 10)
    }

    @Test("inverted CMYK without a profile becomes the product of ink and black", arguments: PixelDelivery.allCases)
    func cmyk(delivery: PixelDelivery) throws {
        let pixels: [UInt8] = [255, 255, 255, 255, 0, 255, 255, 255, 255, 0, 128, 128, 200, 100, 50, 0]
        let bitmap = try Bitmap.assembled(
            pixels, size: PixelSize(width: 4, height: 1), isOpaque: true, layout: .invertedCMYK, delivery: delivery,
            options: ImageDecodeOptions())
        #expect(bitmap.bytes == [255, 255, 255, 255, 0, 255, 255, 255, 128, 0, 64, 255, 0, 0, 0, 255])
        #expect(bitmap.isOpaque)
    }
}
