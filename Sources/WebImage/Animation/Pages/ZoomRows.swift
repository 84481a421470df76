import CPixels

/// The pixels of a page that grows.
struct ZoomRows: PageRows {
    private let zoom: PageZoom
    private let frame: PointRect
    private let picture: PagePicture?
    private let ground: PagePicture?
    private let boxes = PageBoxes()

    /// - Parameters:
    ///   - zoom: In device pixels.
    ///   - picture: The picture on it; nil for none.
    ///   - ground: The picture behind it; nil for none.
    init(_ zoom: PageZoom, _ picture: PagePicture?, ground: PagePicture?) {
        self.zoom = zoom
        frame = zoom.frame
        self.picture = picture
        self.ground = ground
    }

    func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
        if let ground { drawBeside(ground, x, y, rows, bytesPerRow) }
        guard let picture, let visible = picture.frame.intersection(zoom.bounds) else { return }
        let seen = PointRect(
            x: frame.x + (visible.x - zoom.bounds.x) * zoom.factor,
            y: frame.y + (visible.y - zoom.bounds.y) * zoom.factor, width: visible.size.width * zoom.factor,
            height: visible.size.height * zoom.factor)
        withLines(of: picture) { lines in
            for row in y {
                let line = line(
                    startX: zoom.bounds.x + (Double(x.lowerBound) + 0.5 - frame.x) / zoom.factor,
                    y: zoom.bounds.y + (Double(row) + 0.5 - frame.y) / zoom.factor, step: 1 / zoom.factor,
                    ends: Extent(seen.x, seen.maxX), share: share(ofPixel: row, in: Extent(seen.y, seen.maxY)))
                lines.add(line, to: x, rows + (row - y.lowerBound) * bytesPerRow)
            }
        }
    }

    /// What is behind the page, where the page does not cover it.
    private func drawBeside(
        _ ground: PagePicture, _ x: Range<Int>, _ y: Range<Int>, _ rows: UnsafeMutablePointer<UInt8>,
        _ bytesPerRow: Int
    ) {
        let picture = ground.frame
        withLines(of: ground) { lines in
            for row in y where share(ofPixel: row, in: Extent(picture.y, picture.maxY)) > 0 {
                let pixels = rows + (row - y.lowerBound) * bytesPerRow
                let covered = share(ofPixel: row, in: Extent(frame.y, frame.maxY))
                func add(_ start: Double, _ end: Double, share: Double) {
                    let ends = Extent(start, end).intersection(Extent(picture.x, picture.maxX))
                    let line = line(
                        startX: Double(x.lowerBound) + 0.5, y: Double(row) + 0.5, step: 1, ends: ends, share: share)
                    lines.add(line, to: x, pixels)
                }
                guard covered > 0 else {
                    ground.copy(x, row: y.lowerBound + (row - y.lowerBound), to: pixels)
                    continue
                }
                add(-.greatestFiniteMagnitude, frame.x, share: 1)
                add(frame.maxX, .greatestFiniteMagnitude, share: 1)
                add(frame.x, frame.maxX, share: 1 - covered)
            }
        }
    }

    private func line(startX: Double, y: Double, step: Double, ends: Extent, share: Double) -> PageLines.Line {
        PageLines.Line(
            start: startX, step: step, place: y, length: boxes[step], breadth: boxes[step], ends: ends, share: share)
    }

    private func withLines(of picture: PagePicture, _ body: (PageLines) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: PageLines.scratchCount(of: picture.plane)) {
            body(PageLines(picture.plane, x: picture.frame.x, y: picture.frame.y, scratch: $0))
        }
    }
}
