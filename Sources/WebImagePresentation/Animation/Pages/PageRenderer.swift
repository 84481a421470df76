/// Draws a moving page into pixels: each is the mean of what it shows, so that edges are smoothed.
package struct PageRenderer {
    private let page: MovingPage
    private let front: PagePicture?
    private let ground: PagePicture?

    /// - Parameters:
    ///   - page: In points.
    ///   - scale: Device pixels per point.
    ///   - front: The content on the page; nil for none.
    ///   - ground: The content behind it; nil for none.
    package init(_ page: MovingPage, scale: Double, front: PagePicture?, ground: PagePicture?) {
        self.page = page.scaled(by: scale)
        self.front = front
        self.ground = ground
    }

    /// Draws a part of the view.
    ///
    /// - Parameters:
    ///   - x: Its columns.
    ///   - y: Its rows.
    ///   - rows: Memory for the pixels, of four bytes each.
    package func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        let canvas = PageCanvas(x: x, y: y, rows: rows, bytesPerRow: bytesPerRow)
        switch page.shape {
        case .flip(let flip): FlipRows(flip, front).draw(into: canvas)
        case .curl(let curl): CurlRows(curl, page: front, ground: ground).draw(into: canvas)
        case .zoom(let zoom): ZoomRows(zoom, front, ground: ground).draw(into: canvas)
        }
    }
}
