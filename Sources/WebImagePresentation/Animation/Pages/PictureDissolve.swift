import CPixels

/// Draws the dissolve of one picture into another, both at rest, into pixels: each is the mean of the two, by progress,
/// so that translucent pictures are correct, too.
package struct PictureDissolve {
    private let old: PagePicture?
    private let new: PagePicture?
    private let share: UInt16

    /// - Parameters:
    ///   - progress: 0 for the former picture alone to 1 for the new one alone.
    ///   - old: The former picture; nil for none.
    ///   - new: The new picture; nil for none.
    package init(_ progress: Double, from old: PagePicture?, to new: PagePicture?) {
        self.old = old
        self.new = new
        share = UInt16((min(1, max(0, progress)) * 256).rounded())
    }

    /// Draws a part of the view.
    ///
    /// - Parameters:
    ///   - x: Its columns.
    ///   - y: Its rows.
    ///   - rows: Memory for the pixels, of four bytes each.
    package func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        let canvas = PageCanvas(x: x, y: y, rows: rows, bytesPerRow: bytesPerRow)
        for row in y {
            let (former, latter) = (old.columns(in: x, row: row), new.columns(in: x, row: row))
            let edges = [
                x.lowerBound, former.lowerBound, former.upperBound, latter.lowerBound, latter.upperBound, x.upperBound,
            ].sorted()
            for (start, end) in zip(edges, edges.dropFirst()) where start < end {
                webimage_dissolve(
                    former.contains(start) ? old?.pixel(start, row) : nil,
                    latter.contains(start) ? new?.pixel(start, row) : nil, share, canvas.pixel(start, row), end - start)
            }
        }
    }
}

extension PagePicture? {
    /// The columns of the picture within some, in a row of the view; empty for none.
    fileprivate func columns(in columns: Range<Int>, row: Int) -> Range<Int> {
        self?.columns(columns, row: row) ?? columns.lowerBound..<columns.lowerBound
    }
}
