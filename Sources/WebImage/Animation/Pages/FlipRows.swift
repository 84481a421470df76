import CPixels

/// The rows of a page that turns.
struct FlipRows: PageRows {
    /// What is the same in a column of the page, or in a row of one that turns around a horizontal line.
    private struct Line {
        let position: Double
        let length: UnsafePointer<webimage_boxes>
        let breadth: UnsafePointer<webimage_boxes>
        let share: Double
        let light: Double
        /// The page's length across the axis that a pixel shows.
        let reduction: Double
        /// The visible ends across the axis.
        let ends: Extent
    }

    private let flip: PerspectiveFlip
    private let lines: [Line]
    /// The rows or columns of the lines.
    private let span: Range<Int>
    private let middle: Double
    private let boxes: PageBoxes

    /// - Parameters:
    ///   - flip: In device pixels.
    ///   - picture: The picture on it.
    ///   - x: The columns to draw.
    ///   - y: The rows to draw.
    init(_ flip: PerspectiveFlip, _ picture: PagePicture, x: Range<Int>, y: Range<Int>) {
        self.flip = flip
        let boxes = PageBoxes()
        self.boxes = boxes
        guard let visible = picture.frame.intersection(flip.bounds) else {
            (lines, span, middle) = ([], 0..<0, 0)
            return
        }
        let center = flip.axis.along(flip.bounds).middle
        let along = flip.axis.along(visible)
        let seen = Extent(
            center + flip.projection(of: along.start - center), center + flip.projection(of: along.end - center))
        let middle = flip.axis.across(flip.bounds).middle
        let across = flip.axis.across(visible)
        let wanted = flip.axis == .horizontal ? x : y
        span = wanted.clamped(
            to: Int(seen.start.rounded(.down))..<max(
                Int(seen.start.rounded(.down)), Int(seen.end.rounded(.up))))
        self.middle = middle
        lines = span.map { line in
            let place = min(seen.end, max(seen.start, Double(line) + 0.5)) - center
            let position = flip.position(seenAt: place)
            let near = flip.magnification(at: position)
            return Line(
                position: center + position, length: boxes[flip.stretch(at: place)], breadth: boxes[1 / near],
                share: share(ofPixel: line, in: seen), light: picture.isShaded ? flip.light(at: position) : 1,
                reduction: 1 / near,
                ends: Extent(middle + (across.start - middle) * near, middle + (across.end - middle) * near))
        }
    }

    func draw(_ y: Int, columns: Range<Int>, _ row: inout PageRow, _ pixels: UnsafeMutablePointer<UInt8>) {
        if flip.axis == .horizontal {
            let (down, first) = (Double(y) + 0.5 - middle, span.lowerBound)
            for column in columns.clamped(to: span) {
                let line = lines[column - first]
                row.addPage(
                    PageRow.Sample(
                        x: line.position, y: middle + down * line.reduction, across: line.length, down: line.breadth,
                        weight: line.share * share(ofPixel: y, in: line.ends), light: line.light), at: column)
            }
        } else if span.contains(y) {
            let line = lines[y - span.lowerBound]
            for column in columns {
                row.addPage(
                    PageRow.Sample(
                        x: middle + (Double(column) + 0.5 - middle) * line.reduction, y: line.position,
                        across: line.breadth, down: line.length,
                        weight: line.share * share(ofPixel: column, in: line.ends), light: line.light), at: column)
            }
        }
    }
}
