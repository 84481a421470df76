import Testing
import WebImageCore
import WebImagePresentation
import WebImageTestSupport

@Suite("Sprite sheets")
struct SpriteSheetAnimationTests {
    private typealias Cell = SpriteSheetAnimation.Cell

    /// Each pixel has its column and row as red and green.
    private static func sheet(_ width: Int, _ height: Int) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { pixels += [UInt8(x), UInt8(y), 0, 255] }
        }
        return try Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    @Test("cells are frames from the left to the right, and then downwards")
    func grid() throws {
        let animation = try SpriteSheetAnimation(
            Self.sheet(12, 6), columns: 4, rows: 2, frameCount: 7, frameDuration: .milliseconds(20), loopCount: 1)
        #expect(animation.frameCount == 7 && animation.loopCount == 1)
        #expect(animation.duration(at: 6) == .milliseconds(20))
        for index in 0..<7 {
            let frame = try animation.frame(at: index)
            #expect(frame.size == PixelSize(width: 3, height: 3))
            #expect(frame.pixel(0, 0) == [UInt8(index % 4 * 3), UInt8(index / 4 * 3), 0, 255])
            #expect(frame.pixel(2, 2) == [UInt8(index % 4 * 3 + 2), UInt8(index / 4 * 3 + 2), 0, 255])
        }
        #expect(animation.workingByteCount == 12 * 6 * 4)
        #expect(throws: WebImageError.self) { try animation.frame(at: 7) }
        let image = try Image(animation: animation)
        #expect(image.pixelSize == PixelSize(width: 3, height: 3) && image.metadata.frameCount == 7)
    }

    @Test("cells may be anywhere, with durations of their own")
    func cells() throws {
        let cells = [Cell(columns: 1..<3, rows: 0..<2), Cell(columns: 8..<10, rows: 4..<6)]
        let durations = [Duration.milliseconds(10), .milliseconds(50)]
        let animation = try SpriteSheetAnimation(Self.sheet(10, 6), cells: cells, durations: durations)
        #expect(try animation.frame(at: 1).pixel(0, 0) == [8, 4, 0, 255])
        #expect(animation.duration(at: 1) == .milliseconds(50))
    }

    @Test("a sheet of one cell is the sheet itself, and not a copy")
    func single() throws {
        let sheet = try Self.sheet(4, 4)
        #expect(try SpriteSheetAnimation(sheet, columns: 1, rows: 1).frame(at: 0) === sheet)
    }

    @Test(
        "numbers of cells that do not fit the sheet are refused",
        arguments: [
            (0, 1, nil), (1, 0, nil), (5, 1, nil), (1, 4, nil), (-4, 2, nil), (4, 2, 0), (4, 2, 9), (4, 2, -1),
        ])
    func badGrid(columns: Int, rows: Int, count: Int?) throws {
        let sheet = try Self.sheet(12, 6)
        let error = #expect(throws: WebImageError.self) {
            try SpriteSheetAnimation(sheet, columns: columns, rows: rows, frameCount: count)
        }
        #expect(error?.code == .invalidOperation)
    }

    @Test(
        "cells outside of the sheet, empty ones, and those of another size are refused",
        arguments: [
            Cell(columns: 9..<11, rows: 0..<2), Cell(columns: -1..<1, rows: 0..<2), Cell(columns: 0..<2, rows: 5..<7),
            Cell(columns: 0..<0, rows: 0..<2), Cell(columns: 0..<3, rows: 0..<2),
            Cell(columns: Int.max - 2..<Int.max, rows: 0..<2),
        ])
    func badCells(cell: SpriteSheetAnimation.Cell) throws {
        let sheet = try Self.sheet(10, 6)
        let error = #expect(throws: WebImageError.self) {
            try SpriteSheetAnimation(
                sheet, cells: [Cell(columns: 0..<2, rows: 0..<2), cell], durations: [.zero, .zero])
        }
        #expect(error?.code == .invalidOperation && error?.reason.contains("cell 1") == true)
    }

    @Test("no cells, and another number of durations, are refused")
    func noCells() throws {
        let sheet = try Self.sheet(2, 2)
        #expect(throws: WebImageError.self) { try SpriteSheetAnimation(sheet, cells: [], durations: []) }
        let cell = Cell(columns: 0..<1, rows: 0..<1)
        #expect(throws: WebImageError.self) { try SpriteSheetAnimation(sheet, cells: [cell], durations: []) }
    }
}
