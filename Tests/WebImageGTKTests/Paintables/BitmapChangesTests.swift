import Testing
import WebImage
import WebImageTesting

@testable import WebImageGTK

@Suite("The rows of a bitmap that another one changes")
@MainActor
struct BitmapChangesTests {
    private static let size = PixelSize(width: 3, height: 20)

    private func bitmap(
        _ rows: [UInt8], format: PixelFormat = .rgba8Premultiplied, colorSpace: ColorSpace = .sRGB
    ) throws -> Bitmap {
        let bytesPerRow = Self.size.width * format.bytesPerPixel
        return try Bitmap(
            size: Self.size, format: format, colorSpace: colorSpace,
            pixels: rows.flatMap { [UInt8](repeating: $0, count: bytesPerRow - 1) + [.max] })
    }

    @Test("they go from the first row that differs to the last one")
    func random() throws {
        var random = SeededGenerator(seed: 11)
        let former = (0..<20).map { _ in UInt8.random(in: 0..<255, using: &random) }
        for count in 0..<20 {
            let changed = Set((0..<20).shuffled(using: &random).prefix(count))
            let rows = former.enumerated().map { changed.contains($0.offset) ? $0.element ^ 0x55 : $0.element }
            let expected = changed.isEmpty ? 0..<0 : changed.min()!..<changed.max()! + 1
            #expect(try bitmap(rows).changedRows(since: bitmap(former)) == expected, "\(changed)")
        }
    }

    @Test("they are unknown where size, format or colours differ")
    func others() throws {
        let rows = [UInt8](repeating: 7, count: 20)
        let other = try Bitmap(size: PixelSize(width: 20, height: 3), pixels: [UInt8](repeating: 7, count: 240))
        #expect(try bitmap(rows).changedRows(since: other) == nil)
        #expect(try bitmap(rows).changedRows(since: bitmap(rows, format: .rgba8Straight)) == nil)
        #expect(try bitmap(rows).changedRows(since: bitmap(rows, colorSpace: .displayP3)) == nil)
        #expect(try bitmap(rows).changedRows(since: bitmap(rows)) == 0..<0)
    }

    @Test("two rows more on each side are drawn again, and none where none differ")
    func margin() throws {
        let former = [UInt8](repeating: 7, count: 20)
        for (row, expected) in [(0, 0..<3), (1, 0..<4), (9, 7..<12), (19, 17..<20)] {
            var rows = former
            rows[row] = 9
            #expect(try bitmap(rows).changedRowsAsDrawn(since: bitmap(former)) == expected)
        }
        #expect(try bitmap(former).changedRowsAsDrawn(since: bitmap(former)) == 0..<0)
    }
}
