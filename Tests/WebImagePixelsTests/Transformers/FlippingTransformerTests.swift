import Testing
import WebImageCore
import WebImagePixels
import WebImageTestSupport

@testable import WebImageTestDoubles

@Suite("Flipping transformer")
struct FlippingTransformerTests {
    private static let sizes = [(1, 1), (1, 9), (9, 1), (2, 2), (63, 5), (64, 3), (67, 41)].map {
        PixelSize(width: $0.0, height: $0.1)
    }

    @Test(
        "TRF-4 every pixel changes places with the one opposite, for both kinds of alpha", arguments: sizes,
        [PixelFormat.rgba8Premultiplied, .rgba8Straight])
    func everyPixel(size: PixelSize, format: PixelFormat) throws {
        let bitmap = try TestPicture.noise(size, format: format)
        for (horizontal, vertical) in [(true, false), (false, true), (true, true), (false, false)] {
            let flipped = try #require(Image(bitmap: bitmap).flipped(horizontal: horizontal, vertical: vertical))
            #expect(flipped.pixelSize == size)
            #expect(flipped.bitmap.format == format)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let from = (horizontal ? size.width - 1 - x : x, vertical ? size.height - 1 - y : y)
                    try #require(flipped.bitmap.pixel(x, y) == bitmap.pixel(from.0, from.1))
                }
            }
        }
    }

    @Test("TRF-4 flipping twice gives the picture back, and both ways at once is one way after the other")
    func inverse() throws {
        for (index, size) in Self.sizes.enumerated() {
            let image = Image(bitmap: try TestPicture.noise(size, seed: UInt64(index)))
            for (horizontal, vertical) in [(true, false), (false, true), (true, true)] {
                let once = try #require(image.flipped(horizontal: horizontal, vertical: vertical))
                let twice = once.flipped(horizontal: horizontal, vertical: vertical)
                #expect(twice?.bitmap.bytes == image.bitmap.bytes)
            }
            let both = image.flipped(horizontal: true, vertical: true)
            let inTurn = image.flipped(horizontal: true, vertical: false)?.flipped(horizontal: false, vertical: true)
            #expect(both?.bitmap.bytes == inTurn?.bitmap.bytes)
        }
    }

    @Test(
        "a flipped picture is as opaque as before, has the same scale and colours, and no pixels are copied for nothing"
    )
    func facts() throws {
        let size = PixelSize(width: 4, height: 3)
        let opaque = Image(bitmap: try TestPicture.noise(size, isOpaque: true), scale: 2)
        let flipped = try #require(opaque.flipped(horizontal: true, vertical: false))
        #expect(flipped.bitmap.isOpaque)
        #expect(flipped.scale == 2)
        let stored = try Bitmap(size: size, colorSpace: .asStored, pixels: Array(repeating: 7, count: 48))
        #expect(Image(bitmap: stored).flipped(horizontal: true, vertical: true)?.bitmap.colorSpace == .asStored)
        #expect(Image(bitmap: stored).flipped(horizontal: true, vertical: true)?.bitmap.isOpaque == false)
        let unflipped = try #require(opaque.flipped(horizontal: false, vertical: false))
        #expect(unflipped.bitmap === opaque.bitmap)
        #expect(unflipped !== opaque)
    }
}
