import Testing
import WebImageCore
import WebImagePixels

@testable import WebImageTestDoubles

@Suite("Colours of pixels")
struct PickingTests {
    @Test("IMG-1 A74 the colour at a point is straight, also of premultiplied pixels, and black where nothing is")
    func colors() throws {
        let bitmap = try Bitmap(
            size: PixelSize(width: 2, height: 2),
            pixels: [100, 50, 0, 100, 0, 0, 0, 0, 7, 7, 7, 255, 255, 128, 1, 255])
        let image = Image(bitmap: bitmap)
        #expect(image.color(x: 0, y: 0) == RGBAColor(red: 255, green: 128, blue: 0, alpha: 100))
        #expect(image.color(x: 1, y: 0) == .clear)
        #expect(image.color(x: 0, y: 1) == RGBAColor(red: 7, green: 7, blue: 7))
        let straight = try Bitmap(
            size: PixelSize(width: 1, height: 1), format: .rgba8Straight, pixels: [200, 100, 50, 10])
        #expect(Image(bitmap: straight).color(x: 0, y: 0) == RGBAColor(red: 200, green: 100, blue: 50, alpha: 10))
    }

    @Test("IMG-1 A74 outside of the picture and with 16 bits there is no colour")
    func none() throws {
        let image = Image(bitmap: try TestPicture.smooth(PixelSize(width: 3, height: 2)))
        for (x, y) in [(-1, 0), (0, -1), (3, 0), (0, 2), (Int.max, 0), (0, Int.min), (Int.min, Int.max)] {
            #expect(image.color(x: x, y: y) == nil)
        }
        let deep = Image(bitmap: try image.bitmap.converted(to: .rgba16Premultiplied))
        #expect(deep.color(x: 0, y: 0) == nil)
        #expect(deep.colors(columns: 0..<1, rows: 0..<1) == nil)
    }

    @Test("IMG-2 B28 the colours of a rectangle come row by row, only for one inside of the picture")
    func rectangle() throws {
        let image = Image(bitmap: try TestPicture.noise(PixelSize(width: 9, height: 7)))
        let colors = try #require(image.colors(columns: 2..<9, rows: 3..<7))
        #expect(colors.count == 28)
        for (index, color) in colors.enumerated() {
            #expect(color == image.color(x: 2 + index % 7, y: 3 + index / 7))
        }
        for (columns, rows) in [(0..<10, 0..<1), (0..<1, 0..<8), (-1..<2, 0..<1), (0..<1, -1..<2), (4..<4, 0..<1)] {
            #expect(image.colors(columns: columns, rows: rows) == nil)
        }
        #expect(image.colors(columns: 0..<9, rows: 0..<7)?.count == 63)
    }
}
