/// The pixels of a page that turns. A page that turns around a vertical line is drawn in columns.
struct FlipRows {
    private let flip: PerspectiveFlip
    private let picture: PagePicture?
    private let center: Double
    private let middle: Double
    /// The visible ends of the page along the axis.
    private let seen: Extent

    /// - Parameters:
    ///   - flip: In device pixels.
    ///   - picture: The picture on it; nil for none.
    init(_ flip: PerspectiveFlip, _ picture: PagePicture?) {
        self.flip = flip
        self.picture = picture
        center = flip.axis.along(flip.bounds).middle
        middle = flip.axis.across(flip.bounds).middle
        seen = flip.axis.along(flip.frame)
    }

    func draw(into canvas: PageCanvas) {
        canvas.clear()
        guard let picture else { return }
        if flip.axis == .horizontal {
            PageLines.with(picture) { lines in
                canvas.drawColumns(seenLines.clamped(to: canvas.x)) { column, pixels in
                    lines.add(line(column, from: canvas.y.lowerBound), count: canvas.y.count, to: pixels)
                }
            }
        } else {
            PageLines.with(picture) { lines in
                for row in seenLines.clamped(to: canvas.y) {
                    lines.add(
                        line(row, from: canvas.x.lowerBound), count: canvas.x.count,
                        to: canvas.pixel(canvas.x.lowerBound, row))
                }
            }
        }
    }

    /// The lines in which the page is visible.
    private var seenLines: Range<Int> {
        let first = Int(seen.start.rounded(.down))
        return first..<max(first, Int(seen.end.rounded(.up)))
    }

    private func line(_ number: Int, from first: Int) -> PageLine {
        let pixel = Extent(Double(number), Double(number + 1)).intersection(seen)
        let near = flip.magnification(at: flip.position(seenAt: pixel.middle - center))
        return PageLine(
            part: Extent(
                center + flip.position(seenAt: pixel.start - center), center + flip.position(seenAt: pixel.end - center)
            ),
            share: pixel.length, start: middle + (Double(first) - middle) / near, step: 1 / near,
            light: picture?.isShaded == true ? flip.light(at: flip.position(seenAt: pixel.middle - center)) : 1)
    }
}
