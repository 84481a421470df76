import CPixels
import WebImageCore
import WebImagePixels

/// The pixels of a part of a view, into which a page is drawn. All lengths are device pixels.
struct PageCanvas {
    /// The columns of the view.
    let x: Range<Int>
    /// The rows of the view.
    let y: Range<Int>
    private let rows: UnsafeMutablePointer<UInt8>
    private let bytesPerRow: Int

    /// - Parameter rows: Memory for the pixels, of four bytes each.
    init(x: Range<Int>, y: Range<Int>, rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        self.x = x
        self.y = y
        self.rows = rows.assumingMemoryBound(to: UInt8.self)
        self.bytesPerRow = bytesPerRow
    }

    /// The pixel at a place within the part.
    func pixel(_ column: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
        rows + (row - y.lowerBound) * bytesPerRow + (column - x.lowerBound) * 4
    }

    /// Makes a row transparent.
    func clear(_ row: Int) {
        pixel(x.lowerBound, row).clear(count: x.count * 4)
    }

    /// Makes all of it transparent.
    func clear() { for row in y { clear(row) } }

    /// Draws a picture at rest in some columns of a row, and nothing beside it.
    func copy(_ picture: PagePicture?, to columns: Range<Int>, row: Int) {
        guard !columns.isEmpty else { return }
        let part = picture?.columns(columns, row: row) ?? columns.lowerBound..<columns.lowerBound
        pixel(columns.lowerBound, row).clear(count: (part.lowerBound - columns.lowerBound) * 4)
        pixel(part.upperBound, row).clear(count: (columns.upperBound - part.upperBound) * 4)
        guard let picture, !part.isEmpty else { return }
        pixel(part.lowerBound, row).update(from: picture.pixel(part.lowerBound, row), count: part.count * 4)
    }

    /// Casts a shadow on some columns of a row.
    func cast(_ shadow: PageShadow, on columns: Range<Int>, row: Int) {
        let columns = shadow.columns(in: columns)
        guard !columns.isEmpty else { return }
        var shadow = shadow.from(columns.lowerBound)
        webimage_cast_shadow(&shadow, columns.count, pixel(columns.lowerBound, row))
    }

    /// Draws the columns of the view that `draw` makes, some at a time: their pixels in a row fill a line of the
    /// processor's cache.
    ///
    /// - Parameter draw: Adds a column to transparent pixels.
    func drawColumns(_ columns: Range<Int>, _ draw: (_ column: Int, _ pixels: UnsafeMutablePointer<UInt8>) -> Void) {
        let (width, length) = (16, y.count * 4)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length * width) { strip in
            guard let base = strip.baseAddress else { return }
            for left in stride(from: columns.lowerBound, to: columns.upperBound, by: width) {
                let count = min(width, columns.upperBound - left)
                base.clear(count: length * count)
                for column in 0..<count { draw(left + column, base + column * length) }
                webimage_transpose(base, length, y.count, count, pixel(left, y.lowerBound), bytesPerRow)
            }
        }
    }
}

extension PagePicture {
    /// The columns of the picture in a row of the view; empty for none.
    func columns(_ columns: Range<Int>, row: Int) -> Range<Int> {
        let (left, top) = (Int(frame.x), Int(frame.y))
        let isBeside = row < top || row >= top + Int(plane.height)
        return (left..<(isBeside ? left : left + Int(plane.width))).clamped(to: columns)
    }

    /// The pixel at a place of the view, within the picture.
    func pixel(_ column: Int, _ row: Int) -> UnsafePointer<UInt8> {
        let (x, y) = (column - Int(frame.x), row - Int(frame.y))
        return plane.pixels + (y * plane.bytes_per_row + x * 4)
    }
}
