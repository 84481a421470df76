import CPixels

extension Bitmap {
    /// The pixels within `shape`, with `border` on top; with 8 bits a channel.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func clipped(to shape: RoundedRectangle, border: RoundedBorder?) throws(WebImageError) -> Bitmap {
        try Bitmap(size: size, format: format, colorSpace: colorSpace) { base, rowLength in
            withUnsafeBytes { base.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: $0.count) }
            let canvas = ShapeCanvas(
                base: base.assumingMemoryBound(to: UInt8.self), bytesPerRow: rowLength, height: size.height,
                isPremultiplied: format.isPremultiplied)
            canvas.forEachRow(alike: shape.alikeRows) {
                RowMask(clippingTo: shape, row: $0, width: size.width)
            } apply: {
                canvas.clip($0, row: $1)
            }
            if let border {
                canvas.forEachRow(alike: border.alikeRows) {
                    RowMask(between: border.outer, and: border.inner, row: $0)
                } apply: {
                    canvas.paint($0, border.color, row: $1)
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

/// The pixels of an unfinished bitmap, for masks.
private struct ShapeCanvas {
    let base: UnsafeMutablePointer<UInt8>
    let bytesPerRow: Int
    let height: Int
    let isPremultiplied: Bool

    /// Creates one mask for all rows that are alike, and skips them when the mask is empty.
    func forEachRow(alike: Range<Int>, mask: (Int) -> RowMask, apply: (RowMask, Int) -> Void) {
        for row in 0..<alike.lowerBound { apply(mask(row), row) }
        if let first = alike.first {
            let shared = mask(first)
            if !shared.isEmpty { alike.forEach { apply(shared, $0) } }
        }
        for row in alike.upperBound..<height { apply(mask(row), row) }
    }

    func clip(_ mask: RowMask, row: Int) {
        for columns in mask.cleared { pixel(columns.lowerBound, row).update(repeating: 0, count: columns.count * 4) }
        for run in mask.runs {
            webimage_scale_by_coverage(pixel(run.start, row), isPremultiplied, run.coverage, run.coverage.count)
        }
    }

    func paint(_ mask: RowMask, _ color: RGBAColor, row: Int) {
        let packed = [color.red, color.green, color.blue, color.alpha].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        for run in mask.runs {
            webimage_blend_color(
                pixel(run.start, row), isPremultiplied, run.coverage, packed, run.coverage.count)
        }
    }

    private func pixel(_ column: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
        base + row * bytesPerRow + column * 4
    }
}
