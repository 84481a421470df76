import CPixels

/// Computes the rows of a moving page. All lengths are device pixels.
protocol PageRows {
    /// Adds the samples of a row, or copies what is at rest to its pixels.
    func draw(_ y: Int, columns: Range<Int>, _ row: inout PageRow, _ pixels: UnsafeMutablePointer<UInt8>)
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
        let source = rowSource(x, y)
        withUnsafeTemporaryAllocation(of: webimage_sample.self, capacity: PageRow.samplesPerColumn * x.count) { storage in
            var row = PageRow(page: front, ground: ground, columns: x, storage: storage)
            for line in y {
                let pixels = rows + (line - y.lowerBound) * bytesPerRow
                pixels.initializeMemory(as: UInt8.self, repeating: 0, count: x.count * 4)
                let bytes = pixels.assumingMemoryBound(to: UInt8.self)
                source?.draw(line, columns: x, &row, bytes)
                row.write(to: bytes)
            }
        }
    }

    private func rowSource(_ x: Range<Int>, _ y: Range<Int>) -> (any PageRows)? {
        switch page.shape {
        case .flip(let flip): front.map { FlipRows(flip, $0, x: x, y: y) }
        case .curl(let curl): CurlRows(curl, page: front, ground: ground)
        case .zoom(let zoom): ZoomRows(zoom, front)
        }
    }
}
