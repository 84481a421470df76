import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels turned about their centre; transparent where there is nothing. Quarter turns move pixels; other angles
    /// take bicubic interpolation (Catmull-Rom), with smooth edges.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Parameters:
    ///   - angle: In radians, counter-clockwise.
    ///   - fitsSize: Whether the result grows until it has all of the picture. Otherwise it has the same size, and
    ///     corners are cut.
    /// - Throws: ``WebImageError/Code/invalidOperation`` when the angle is infinite or NaN, or the result has more pixels
    ///   than the default ``ImageLimits/maximumPixelCount``; ``WebImageError/Code/limitExceeded`` when there is no
    ///   memory.
    public func rotated(by angle: Double, fitsSize: Bool = true) throws(WebImageError) -> Bitmap {
        guard let geometry = RotationGeometry(source: size, angle: angle, fitsSize: fitsSize) else {
            throw .invalidOperation("a picture of \(size) cannot be rotated by \(angle) radians")
        }
        if let orientation = geometry.quarterTurn { return try oriented(orientation) }
        return try sampled(geometry)
    }

    /// The pixels as a person sees them when they are stored with `orientation`.
    func oriented(_ orientation: ImageOrientation) throws(WebImageError) -> Bitmap {
        guard orientation != .up else { return self }
        guard orientation.swapsSides else {
            return try flipped(
                horizontal: orientation != .downMirrored, vertical: orientation != .upMirrored)
        }
        let placement = Placement(storedSize: size, orientation: orientation)
        let (stored, depth) = (size, format.depth)
        return try mapped(to: size.transposed) { source, strip in
            let block = TurnedBlock(columns: placement.columns(of: strip.rows, in: stored), stored: stored)
            block.place(source, into: strip, placement: placement, depth: depth)
            return isOpaque
        }
    }

    private func sampled(_ geometry: RotationGeometry) throws(WebImageError) -> Bitmap {
        let (size, bytesPerRow, format, width) = (size, bytesPerRow, format, geometry.canvas.width)
        return try mapped(to: geometry.canvas) { source, strip in
            var picture = webimage_picture(
                pixels: source.row(0), bytes_per_row: bytesPerRow, width: Int32(size.width),
                height: Int32(size.height), type: format.channelType, is_premultiplied: format.isPremultiplied)
            for y in strip.rows {
                let line = geometry.line(y)
                webimage_sample_line(&picture, line.x, line.y, line.stepX, line.stepY, strip.row(y), width)
            }
            return false
        }
    }
}

/// Columns of a stored picture that become rows.
private struct TurnedBlock {
    let columns: Range<Int>
    let stored: PixelSize

    /// The rows of a stored picture are read in strips of this height, so that each column of a strip fills a cache line
    /// of the result.
    private static let stripHeight = 16

    func place(_ source: SourceRows, into strip: RowStrip, placement: Placement, depth: PixelDepth) {
        let base = strip.row(0) + placement.origin * depth.bytesPerPixel
        for row in stride(from: 0, to: stored.height, by: Self.stripHeight) {
            let height = min(Self.stripHeight, stored.height - row)
            let from = source.row(row) + columns.lowerBound * depth.bytesPerPixel
            let target = base + (columns.lowerBound * placement.stepX + row * placement.stepY) * depth.bytesPerPixel
            webimage_turn(
                from, stored.width, columns.count, height, depth == .eight ? webimage_bytes : webimage_words, target,
                placement.stepX, placement.stepY)
        }
    }
}

extension Placement {
    /// The columns of the stored picture that become `rows` of the upright one, where rows and columns are swapped.
    fileprivate func columns(of rows: Range<Int>, in stored: PixelSize) -> Range<Int> {
        stepX > 0 ? rows : stored.width - rows.upperBound..<stored.width - rows.lowerBound
    }
}
