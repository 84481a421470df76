import CPixels
import WebImageCore

extension Bitmap {
    /// The pixels within `shape`, with `border` on top.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func clipped(to shape: RoundedRectangle, border: RoundedBorder?) throws(WebImageError) -> Bitmap {
        let (width, bytesPerRow, format) = (size.width, bytesPerRow, format)
        let borderColor = border?.color.numbers(in: colorSpace)
        return try mapped { source, strip in
            for y in strip.rows { strip.row(y).copyMemory(from: source.row(y), byteCount: bytesPerRow) }
            let canvas = ShapeCanvas(strip: strip, format: format)
            canvas.forEachRow(alike: shape.alikeRows) {
                RowMask(clippingTo: shape, row: $0, width: width)
            } apply: {
                canvas.clip($0, row: $1)
            }
            if let border, let borderColor {
                canvas.forEachRow(alike: border.alikeRows) {
                    RowMask(between: border.outer, and: border.inner, row: $0)
                } apply: {
                    canvas.paint($0, borderColor, row: $1)
                }
            }
            return false
        }
    }

    /// A transparent picture of the same size.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func cleared() throws(WebImageError) -> Bitmap {
        try Bitmap(size: size, format: format, colorSpace: colorSpace) { base, rowLength in
            base.initializeMemory(as: UInt8.self, repeating: 0, count: rowLength * size.height)
            return false
        }
    }
}

/// Rows of an unfinished bitmap, for masks.
private struct ShapeCanvas {
    let strip: RowStrip
    let format: PixelFormat

    /// Creates one mask for all rows that are alike, and skips them when the mask is empty.
    func forEachRow(alike: Range<Int>, mask: (Int) -> RowMask, apply: (RowMask, Int) -> Void) {
        let shared = alike.clamped(to: strip.rows).first.map(mask)
        for row in strip.rows {
            if let shared, alike.contains(row) {
                if !shared.isEmpty { apply(shared, row) }
            } else {
                apply(mask(row), row)
            }
        }
    }

    func clip(_ mask: RowMask, row: Int) {
        for columns in mask.cleared {
            pixel(columns.lowerBound, row).initializeMemory(
                as: UInt8.self, repeating: 0, count: columns.count * format.bytesPerPixel)
        }
        for run in mask.runs {
            let (pixels, count) = (pixel(run.start, row), run.coverage.count)
            if format.depth == .eight {
                webimage_scale_by_coverage(
                    pixels.assumingMemoryBound(to: UInt8.self), format.isPremultiplied, run.coverage, count)
            } else {
                webimage_deep_scale_by_coverage(
                    pixels, format.channelType, format.isPremultiplied, run.coverage, count)
            }
        }
    }

    func paint(_ mask: RowMask, _ color: RGBAColor, row: Int) {
        let channels = [color.red, color.green, color.blue, color.alpha]
        let packed = channels.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        for run in mask.runs {
            let (pixels, count) = (pixel(run.start, row), run.coverage.count)
            if format.depth == .eight {
                webimage_blend_color(
                    pixels.assumingMemoryBound(to: UInt8.self), format.isPremultiplied, run.coverage, packed, count)
            } else {
                webimage_deep_blend_color(
                    pixels, format.channelType, format.isPremultiplied, run.coverage,
                    channels.map { Float($0) / 255 }, count)
            }
        }
    }

    private func pixel(_ column: Int, _ row: Int) -> UnsafeMutableRawPointer {
        strip.row(row) + column * format.bytesPerPixel
    }
}
