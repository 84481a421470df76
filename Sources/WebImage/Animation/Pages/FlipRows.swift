import CPixels

/// The pixels of a page that turns. A page that turns around a vertical line is drawn in columns: each of them shows a
/// line of the page, at one magnification.
struct FlipRows: PageRows {
    /// The number of columns that are drawn and transposed at a time: their pixels in a row fill a line of the
    /// processor's cache.
    private static let stripWidth = 16

    private let flip: PerspectiveFlip
    private let picture: PagePicture
    private let visible: PointRect
    private let boxes = PageBoxes()

    /// - Parameters:
    ///   - flip: In device pixels.
    ///   - picture: The picture on it.
    init?(_ flip: PerspectiveFlip, _ picture: PagePicture) {
        guard let visible = picture.frame.intersection(flip.bounds) else { return nil }
        self.flip = flip
        self.picture = picture
        self.visible = visible
    }

    func draw(x: Range<Int>, y: Range<Int>, into rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) {
        let plane = flip.axis == .horizontal ? picture.transposed : picture.plane
        guard let plane else { return }
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: PageLines.scratchCount(of: plane)) { scratch in
            if flip.axis == .horizontal {
                let lines = PageLines(plane, x: picture.frame.y, y: picture.frame.x, scratch: scratch)
                drawColumns(lines, x, y, rows, bytesPerRow)
            } else {
                let lines = PageLines(plane, x: picture.frame.x, y: picture.frame.y, scratch: scratch)
                for row in y.clamped(to: seenLines) {
                    lines.add(line(row, along: x), to: x, rows + (row - y.lowerBound) * bytesPerRow)
                }
            }
        }
    }

    private func drawColumns(
        _ lines: PageLines, _ x: Range<Int>, _ y: Range<Int>, _ rows: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int
    ) {
        let columns = x.clamped(to: seenLines)
        let length = y.count * 4
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length * Self.stripWidth) { strip in
            guard let base = strip.baseAddress else { return }
            for left in stride(from: columns.lowerBound, to: columns.upperBound, by: Self.stripWidth) {
                let width = min(Self.stripWidth, columns.upperBound - left)
                base.update(repeating: 0, count: length * width)
                for column in 0..<width {
                    lines.add(line(left + column, along: y), to: y, base + column * length)
                }
                webimage_transpose(
                    base, length, y.count, width, rows + (left - x.lowerBound) * 4, bytesPerRow)
            }
        }
    }

    /// The lines in which any of the picture is visible.
    private var seenLines: Range<Int> {
        let seen = seen
        let first = Int(seen.start.rounded(.down))
        return first..<max(first, Int(seen.end.rounded(.up)))
    }

    /// The visible ends of the picture along the axis.
    private var seen: Extent {
        let center = flip.axis.along(flip.bounds).middle
        let along = flip.axis.along(visible)
        return Extent(
            center + flip.projection(of: along.start - center), center + flip.projection(of: along.end - center))
    }

    private func line(_ number: Int, along span: Range<Int>) -> PageLines.Line {
        let (center, middle) = (flip.axis.along(flip.bounds).middle, flip.axis.across(flip.bounds).middle)
        let seen = seen
        let place = min(seen.end, max(seen.start, Double(number) + 0.5)) - center
        let position = flip.position(seenAt: place)
        let near = flip.magnification(at: position)
        let across = flip.axis.across(visible)
        return PageLines.Line(
            start: middle + (Double(span.lowerBound) + 0.5 - middle) / near, step: 1 / near, place: center + position,
            length: boxes[1 / near], breadth: boxes[flip.stretch(at: place)],
            light: picture.isShaded ? flip.light(at: position) : 1,
            ends: Extent(middle + (across.start - middle) * near, middle + (across.end - middle) * near),
            share: share(ofPixel: number, in: seen))
    }
}
