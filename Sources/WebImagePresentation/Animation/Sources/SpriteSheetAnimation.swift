import WebImageCore
import WebImagePixels

/// An animation whose frames are parts of one picture. A frame is cut out when it is shown; the sheet is shared.
///
/// ```swift
/// let sheet = try Image(contentsOf: file)
/// let image = try Image(animation: SpriteSheetAnimation(sheet.bitmap, columns: 8, rows: 4, frameCount: 30))
/// ```
public final class SpriteSheetAnimation: AnimatedImageProvider {
    /// The place of a frame in pixels of the sheet.
    public struct Cell: Sendable, Hashable {
        /// From 0 at the left.
        public var columns: Range<Int>
        /// From 0 at the top.
        public var rows: Range<Int>

        /// The cell with these columns and rows of pixels.
        public init(columns: Range<Int>, rows: Range<Int>) {
            self.columns = columns
            self.rows = rows
        }

        fileprivate var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

        fileprivate func lies(in size: PixelSize) -> Bool {
            !columns.isEmpty && !rows.isEmpty && columns.lowerBound >= 0 && columns.upperBound <= size.width
                && rows.lowerBound >= 0 && rows.upperBound <= size.height
        }
    }

    private let sheet: Bitmap
    private let cells: [Cell]
    private let schedule: FrameSchedule

    /// A sheet of equal cells, read from the left to the right and then downwards.
    ///
    /// - Parameters:
    ///   - columns: The number of cells side by side, which must divide the width.
    ///   - rows: The number of cells one below the other, which must divide the height.
    ///   - frameCount: The number of cells that are frames; nil for all.
    ///   - loopCount: The number of plays; 0 for endless.
    /// - Throws: ``WebImageError/Code/invalidOperation`` for numbers that do not fit the sheet.
    public convenience init(
        _ sheet: Bitmap, columns: Int, rows: Int, frameCount: Int? = nil,
        frameDuration: Duration = .milliseconds(100), loopCount: Int = 0
    ) throws(WebImageError) {
        let (width, height) = (sheet.size.width, sheet.size.height)
        guard columns > 0, rows > 0, width.isMultiple(of: columns), height.isMultiple(of: rows) else {
            throw .invalidOperation(
                "a sheet of \(sheet.size) pixels has no \(columns) × \(rows) equal cells; give the cells themselves")
        }
        let count = frameCount ?? columns * rows
        guard (1...columns * rows).contains(count) else {
            throw .invalidOperation("a sheet of \(columns) × \(rows) cells has no \(count) frames")
        }
        let (cellWidth, cellHeight) = (width / columns, height / rows)
        let cells = (0..<count).map { index in
            let (x, y) = (index % columns * cellWidth, index / columns * cellHeight)
            return Cell(columns: x..<x + cellWidth, rows: y..<y + cellHeight)
        }
        try self.init(sheet, cells: cells, durations: cells.map { _ in frameDuration }, loopCount: loopCount)
    }

    /// A sheet with a cell for each frame, anywhere; all of one size.
    ///
    /// - Parameter durations: One for each cell.
    /// - Throws: ``WebImageError/Code/invalidOperation`` for no cells, cells outside of the sheet or of another size, and
    ///   another number of durations.
    public init(
        _ sheet: Bitmap, cells: [Cell], durations: [Duration], loopCount: Int = 0
    ) throws(WebImageError) {
        schedule = try FrameSchedule(durations, of: cells.count, loopCount: loopCount)
        for (index, cell) in cells.enumerated() {
            guard cell.lies(in: sheet.size) else {
                throw .invalidOperation(
                    "cell \(index) (columns \(cell.columns), rows \(cell.rows)) is not in the sheet of \(sheet.size) pixels"
                )
            }
            guard cell.size == cells[0].size else {
                throw .invalidOperation("cell \(index) is \(cell.size) pixels and the first is \(cells[0].size)")
            }
        }
        self.sheet = sheet
        self.cells = cells
    }

    /// The number of cells.
    public var frameCount: Int { schedule.count }
    /// The number of plays; 0 for endless.
    public var loopCount: Int { schedule.loopCount }
    /// The bytes of the sheet.
    public var workingByteCount: Int { sheet.byteCount }

    /// The duration of a frame.
    public func duration(at index: Int) -> Duration { schedule.duration(at: index) }

    /// A copy of a cell.
    public func frame(at index: Int) throws(WebImageError) -> Bitmap {
        try schedule.requireFrame(index)
        return try sheet.cropped(columns: cells[index].columns, rows: cells[index].rows)
    }

    /// Does nothing: the sheet is in memory.
    public func preloadAllFrames() {}
}
