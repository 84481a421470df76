import WebImageCore

/// The pixels of a page that grows.
struct ZoomRows {
    private let zoom: PageZoom
    private let frame: PointRect
    private let picture: PagePicture?
    private let ground: PagePicture?

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

    func draw(into canvas: PageCanvas) {
        drawGround(into: canvas)
        guard let picture else { return }
        PageLines.with(picture) { lines in
            for row in canvas.y where covered(row) > 0 {
                let line = PageLine(
                    part: Extent(
                        place(Double(row), frame.y, zoom.bounds.y), place(Double(row + 1), frame.y, zoom.bounds.y)),
                    start: place(Double(canvas.x.lowerBound), frame.x, zoom.bounds.x), step: 1 / zoom.factor)
                lines.add(line, count: canvas.x.count, to: canvas.pixel(canvas.x.lowerBound, row))
            }
        }
    }

    /// Draws the ground in the parts of the view that the page does not cover.
    private func drawGround(into canvas: PageCanvas) {
        for row in canvas.y where covered(row) == 0 { canvas.copy(ground, to: canvas.x, row: row) }
        let beside = (Int(frame.x.rounded(.down))..<Int(frame.maxX.rounded(.up))).clamped(to: canvas.x)
        for row in canvas.y where covered(row) > 0 {
            canvas.copy(ground, to: canvas.x.lowerBound..<beside.lowerBound, row: row)
            canvas.copy(nil, to: beside, row: row)
            canvas.copy(ground, to: beside.upperBound..<canvas.x.upperBound, row: row)
        }
        if let ground { smooth(ground, beside, of: canvas) }
    }

    /// Draws what is behind the page in the pixels that it covers in part.
    private func smooth(_ ground: PagePicture, _ columns: Range<Int>, of canvas: PageCanvas) {
        let (first, last) = (Double(columns.lowerBound), Double(columns.upperBound))
        PageLines.with(ground) { lines in
            for row in canvas.y where covered(row) > 0 && !columns.isEmpty {
                for (part, share) in [
                    (Extent(first, frame.x), 1), (Extent(frame.x, frame.maxX), 1 - covered(row)),
                    (Extent(frame.maxX, last), 1),
                ] {
                    let line = PageLine(
                        part: Extent(Double(row), Double(row + 1)), share: share, start: first, step: 1, visible: part)
                    lines.add(line, count: columns.count, to: canvas.pixel(columns.lowerBound, row))
                }
            }
        }
    }

    /// The share of a row that the page covers.
    private func covered(_ row: Int) -> Double {
        max(0, Extent(Double(row), Double(row + 1)).intersection(Extent(frame.y, frame.maxY)).length)
    }

    /// The place on the page that is visible at a place of the view.
    private func place(_ seen: Double, _ frame: Double, _ bounds: Double) -> Double {
        bounds + (seen - frame) / zoom.factor
    }
}
