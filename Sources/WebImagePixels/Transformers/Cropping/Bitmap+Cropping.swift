import WebImageCore

extension Bitmap {
    /// The pixels of a rectangle; the bitmap itself for all of them. Uses all processors; blocks; any thread.
    ///
    /// - Parameters:
    ///   - columns: The columns, from 0; those outside of the bitmap are left out.
    ///   - rows: The rows, from 0 at the top; those outside are left out.
    /// - Throws: ``WebImageError/Code/invalidOperation`` when nothing is left, ``WebImageError/Code/limitExceeded`` when
    ///   there is no memory.
    public func cropped(columns: Range<Int>, rows: Range<Int>) throws(WebImageError) -> Bitmap {
        let columns = columns.clamped(to: 0..<size.width)
        let rows = rows.clamped(to: 0..<size.height)
        guard !columns.isEmpty, !rows.isEmpty else {
            throw .invalidOperation("the rectangle to crop has no pixel of a picture of \(size)")
        }
        let result = PixelSize(width: columns.count, height: rows.count)
        guard result != size else { return self }
        let bytesPerPixel = format.bytesPerPixel
        return try mapped(to: result) { source, strip in
            for y in strip.rows {
                strip.row(y).copyMemory(
                    from: source.row(rows.lowerBound + y) + columns.lowerBound * bytesPerPixel,
                    byteCount: columns.count * bytesPerPixel)
            }
            return isOpaque
        }
    }
}
