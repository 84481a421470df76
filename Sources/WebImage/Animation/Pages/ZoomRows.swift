import CPixels

/// The rows of a page that grows.
struct ZoomRows: PageRows {
    private let zoom: PageZoom
    private let frame: PointRect
    /// The visible frame of the picture.
    private let seen: PointRect
    private let boxes: UnsafePointer<webimage_boxes>
    private let ground: UnsafePointer<webimage_boxes>

    /// - Parameters:
    ///   - zoom: In device pixels.
    ///   - picture: The picture on it; nil for none.
    init(_ zoom: PageZoom, _ picture: PagePicture?) {
        self.zoom = zoom
        frame = zoom.frame
        let visible = picture?.frame.intersection(zoom.bounds) ?? PointRect(x: 0, y: 0, width: 0, height: 0)
        seen = PointRect(
            x: frame.x + (visible.x - zoom.bounds.x) * zoom.factor, y: frame.y + (visible.y - zoom.bounds.y) * zoom.factor,
            width: visible.size.width * zoom.factor, height: visible.size.height * zoom.factor)
        boxes = PageBoxes()[1 / zoom.factor]
        ground = PageBoxes()[1]
    }

    func draw(_ y: Int, columns: Range<Int>, _ row: inout PageRow, _ pixels: UnsafeMutablePointer<UInt8>) {
        let down = share(ofPixel: y, in: Extent(frame.y, frame.maxY))
        let (left, right) = (Int(frame.x.rounded(.down)), Int(frame.maxX.rounded(.up)))
        guard down > 0, left < columns.upperBound, right > columns.lowerBound else {
            return row.grounds.copy(columns, row: y, to: pixels)
        }
        row.grounds.copy(columns.lowerBound..<max(columns.lowerBound, left), row: y, to: pixels)
        row.grounds.copy(min(columns.upperBound, right)..<columns.upperBound, row: y, to: pixels)
        let seenDown = share(ofPixel: y, in: Extent(seen.y, seen.maxY))
        let (start, scale) = ((zoom.bounds.x - frame.x / zoom.factor), 1 / zoom.factor)
        let place = zoom.bounds.y + (Double(y) + 0.5 - frame.y) * scale
        for column in columns.clamped(to: left..<right) {
            let covered = down * share(ofPixel: column, in: Extent(frame.x, frame.maxX))
            if covered < 1 {
                row.addGround(
                    PageRow.Sample(
                        x: Double(column) + 0.5, y: Double(y) + 0.5, across: ground, down: ground, weight: 1 - covered),
                    at: column)
            }
            row.addPage(
                PageRow.Sample(
                    x: start + (Double(column) + 0.5) * scale, y: place, across: boxes, down: boxes,
                    weight: seenDown * share(ofPixel: column, in: Extent(seen.x, seen.maxX))), at: column)
        }
    }
}
