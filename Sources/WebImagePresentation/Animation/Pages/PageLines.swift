import CPixels
import WebImageCore

/// A line of pixels of a page: a row of the view or, of the transposed view, a column. All of it has one magnification.
struct PageLine {
    /// The part of the page across the line that it shows, in device pixels of the view at rest.
    var part: Extent
    /// The share of the pixels that shows the page.
    var share = 1.0
    /// The place on the page where the line's first pixel begins.
    var start: Double
    /// The length of the page that each pixel shows, more than 0.
    var step: Double
    /// The visible part of the page along the line.
    var visible = Extent(-.greatestFiniteMagnitude, .greatestFiniteMagnitude)
    /// The factor for the colours, 0 to 1.
    var light = 1.0
}

/// Draws lines of a picture: each pixel is the mean of the rectangle of the picture that it shows.
struct PageLines {
    private let plane: webimage_plane
    /// The edges of the picture along the lines, and across.
    private let (along, across): (Extent, Extent)
    private let memory: Memory

    private struct Memory {
        let means: UnsafeMutablePointer<Int16>
        let sums: UnsafeMutablePointer<UInt32>
        let rows: UnsafeMutablePointer<UnsafePointer<UInt8>?>
        let weights: UnsafeMutablePointer<Int16>
    }

    /// Calls `body` with the lines of a picture: its rows, or its columns where it is transposed.
    static func with(_ picture: PagePicture, _ body: (PageLines) -> Void) {
        let (x, y) = (Extent(picture.frame.x, picture.frame.maxX), Extent(picture.frame.y, picture.frame.maxY))
        withLines(
            picture.plane, along: picture.isTransposed ? y : x, across: picture.isTransposed ? x : y, body)
    }

    private static func withLines(
        _ plane: webimage_plane, along: Extent, across: Extent, _ body: (PageLines) -> Void
    ) {
        let (width, height) = (Int(plane.width), Int(plane.height))
        withUnsafeTemporaryAllocation(byteCount: (width + 2) * 16, alignment: 64) { sums in
            withUnsafeTemporaryAllocation(of: Int16.self, capacity: width * 4 + height) { numbers in
                withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: height) { rows in
                    guard let sums = sums.baseAddress, let means = numbers.baseAddress, let rows = rows.baseAddress
                    else { return }
                    let memory = Memory(
                        means: means, sums: sums.assumingMemoryBound(to: UInt32.self), rows: rows,
                        weights: means + width * 4)
                    body(PageLines(plane: plane, along: along, across: across, memory: memory))
                }
            }
        }
    }

    /// Adds a line to `count` pixels.
    func add(_ line: PageLine, count: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let seen = along.intersection(line.visible)
            .intersection(Extent(line.start, line.start + line.step * Double(count)))
        guard line.share > 0, !seen.isEmpty, !line.part.isEmpty else { return }
        let (first, last) = (Int(seen.start - along.start), Int((seen.end - along.start).rounded(.up)))
        mix(line, first..<last)
        let origin = along.start + Double(first)
        // Only the pixels that show any of it.
        let start = Int((seen.start - line.start) / line.step)
        let end = min(count, Int(((seen.end - line.start) / line.step).rounded(.up)))
        guard end > start else { return }
        var made = webimage_line(
            start: Self.fixed(line.start + Double(start) * line.step - origin), step: Self.fixed(line.step),
            low: Self.fixed(seen.start - origin), high: Self.fixed(seen.end - origin), light: Float(line.light))
        webimage_add_line(memory.means, &made, memory.sums, end - start, pixels + start * 4)
    }

    /// Makes the mean of the rows that a line shows, in some columns.
    private func mix(_ line: PageLine, _ columns: Range<Int>) {
        let part = Extent(line.part.start - across.start, line.part.end - across.start)
        let inside = part.intersection(Extent(0, across.length))
        let rows = Int(inside.start)..<max(Int(inside.start), Int(inside.end.rounded(.up)))
        let whole = line.share * Double(1 << WEBIMAGE_WEIGHT_BITS) / part.length
        var given = 0.0
        for (index, row) in rows.enumerated() {
            // Rounding errors must not add up: a mean of white is white.
            let end = (whole * (min(inside.end, Double(row + 1)) - inside.start)).rounded()
            memory.rows[index] = plane.pixels + row * plane.bytes_per_row + columns.lowerBound * 4
            memory.weights[index] = Int16(end - given)
            given = end
        }
        webimage_resample_vertically(memory.rows, memory.weights, rows.count, memory.means, columns.count * 4)
    }

    private static func fixed(_ place: Double) -> Int64 { Int64(max(-1e13, min(1e13, place)) * 65536) }
}
