import CPixels

extension Image {
    /// The picture without an even margin: rows and columns at its edges in which all pixels are like the one in the top
    /// left corner, within a tolerance. The result is a still picture in memory with the same ``scale``; the picture
    /// itself when it has no margin, or is nothing else.
    ///
    /// Blocks; any thread.
    /// - Parameter tolerance: The largest difference of a channel, 0 to 1.
    /// - Returns: Nil when the tolerance is negative or NaN, or there is no memory.
    public func trimmed(tolerance: Double = 0) -> Image? {
        guard tolerance >= 0 else { return nil }
        guard let part = bitmap.partInsideMargin(tolerance: tolerance),
            part.columns.count < pixelSize.width || part.rows.count < pixelSize.height
        else { return self }
        return (try? bitmap.cropped(columns: part.columns, rows: part.rows)).map(still)
    }
}

extension Bitmap {
    /// The columns and rows that differ from the first pixel; nil when none does.
    fileprivate func partInsideMargin(tolerance: Double) -> (columns: Range<Int>, rows: Range<Int>)? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var corner = [Float](repeating: 0, count: 4)
            webimage_load_floats(base, format.channelType, &corner, 1)
            // Half of a step allows for the rounding of the product.
            let limit = Float(min(tolerance, 1)) * format.maximum + 0.5
            var part: (columns: Range<Int>, rows: Range<Int>)?
            for y in 0..<size.height {
                var (first, end) = (0, 0)
                guard
                    webimage_differing_columns(
                        base + y * bytesPerRow, format.channelType, corner, limit, size.width, &first, &end)
                else { continue }
                let columns = part?.columns ?? first..<end
                part = (
                    min(columns.lowerBound, first)..<max(columns.upperBound, end),
                    (part?.rows.lowerBound ?? y)..<y + 1
                )
            }
            return part
        }
    }
}
