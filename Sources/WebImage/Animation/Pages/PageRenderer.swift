/// Computes the pixels of a moving page. All lengths are device pixels.
protocol PageRows {
    /// Draws a part of the view into pixels that are 0.
    func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int)
}

/// Draws a moving page into pixels: each is the mean of the part of the picture that it shows, and edges are smoothed.
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
    ///   - x: Its columns, at most 65,535.
    ///   - y: Its rows.
    ///   - rows: Memory for the pixels, of four bytes each.
    package func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutableRawPointer, bytesPerRow: Int) {
        for row in 0..<y.count {
            (rows + row * bytesPerRow).initializeMemory(as: UInt8.self, repeating: 0, count: x.count * 4)
        }
        pageRows?.draw(x: x, y: y, into: rows.assumingMemoryBound(to: UInt8.self), bytesPerRow: bytesPerRow)
    }

    private var pageRows: (any PageRows)? {
        switch page.shape {
        case .flip(let flip): front.flatMap { FlipRows(flip, $0) }
        case .curl(let curl): CurlRows(curl, page: front, ground: ground)
        case .zoom(let zoom): ZoomRows(zoom, front, ground: ground)
        }
    }
}
