import CPixels

/// Draws lines of a picture that is turned or reduced: rows, or columns as rows of the transposed picture.
struct PageLines {
    /// A line of pixels; lengths are device pixels of the view, or of the transposed view.
    struct Line {
        /// What the line shows: the point in the middle of the first pixel, and the way to that of the next one.
        var start: Double
        var step: Double
        /// The place across the line.
        var place: Double
        /// The lengths that a pixel shows, along the line and across.
        var length: UnsafePointer<webimage_boxes>
        var breadth: UnsafePointer<webimage_boxes>
        var light = 1.0
        /// The visible ends of the line, in the places of its pixels.
        var ends: Extent
        /// The share of the pixels that the line covers.
        var share: Double
    }

    private let plane: webimage_plane
    private let (x, y): (Double, Double)
    private let scratch: UnsafeMutableBufferPointer<UInt16>

    /// - Parameters:
    ///   - plane: A picture's.
    ///   - x: The left edge of the plane.
    ///   - y: The upper edge.
    ///   - scratch: As many numbers as ``scratchCount(of:)`` tells.
    init(_ plane: webimage_plane, x: Double, y: Double, scratch: UnsafeMutableBufferPointer<UInt16>) {
        self.plane = plane
        (self.x, self.y) = (x + 0.5, y + 0.5)
        self.scratch = scratch
    }

    /// The length of the scratch memory for a plane.
    static func scratchCount(of plane: webimage_plane) -> Int { 4 * (Int(plane.width) + 64) }

    /// Adds the visible part of a line.
    ///
    /// - Parameters:
    ///   - span: The places of the pixels.
    ///   - pixels: The first of them.
    func add(_ line: Line, to span: Range<Int>, _ pixels: UnsafeMutablePointer<UInt8>) {
        guard line.share > 0, line.ends.length > 0 else { return }
        let (first, last) = (Int(line.ends.start.rounded(.down)), Int(line.ends.end.rounded(.up)) - 1)
        let whole = Int(line.ends.start.rounded(.up))..<max(
            Int(line.ends.start.rounded(.up)), Int(line.ends.end.rounded(.down)))
        add(line, whole.clamped(to: span), share: 1, span, pixels)
        for end in Set([first, last]) where !whole.contains(end) && span.contains(end) {
            add(line, end..<(end + 1), share: WebImage.share(ofPixel: end, in: line.ends), span, pixels)
        }
    }

    private func add(
        _ line: Line, _ part: Range<Int>, share: Double, _ span: Range<Int>, _ pixels: UnsafeMutablePointer<UInt8>
    ) {
        guard !part.isEmpty, let memory = scratch.baseAddress else { return }
        let start = line.start + Double(part.lowerBound - span.lowerBound) * line.step
        var made = webimage_line(
            x: fixed(start - x, plane.width), step: Int32(line.step * 65536), y: fixed(line.place - y, plane.height),
            across: line.length, down: line.breadth, weight: sixteenBits(line.share * share),
            light: sixteenBits(line.light))
        // Two roundings must not lead beyond the last pixel of the plane and its margin.
        let longest = (Double(plane.width) + 30) * 65536
        if Double(made.x) + Double(made.step) * Double(part.count) > longest {
            made.step = Int32((longest - Double(made.x)) / Double(part.count))
        }
        withUnsafePointer(to: plane) { plane in
            webimage_add_line(
                plane, &made, part.count, memory, scratch.count / 4, pixels + (part.lowerBound - span.lowerBound) * 4)
        }
    }

    private func fixed(_ place: Double, _ length: Int32) -> Int32 {
        Int32(min(Double(length) + 8, max(-8, place)) * 65536)
    }
}

/// A share as the drawing functions take it.
@inline(__always)
func sixteenBits(_ share: Double) -> UInt16 { UInt16(min(1, max(0, share)) * 65535 + 0.5) }
