import CPixels
import Synchronization
import WebImageCore

extension Image {
    /// The picture without an even margin: rows and columns at its edges in which all pixels are like the one in the top
    /// left corner, within a tolerance. Fully transparent pixels are alike, whatever their colours. The result is a still
    /// picture in memory with the same ``scale``; the picture itself when it has no margin, or is nothing else.
    ///
    /// Blocks; any thread.
    /// - Parameter tolerance: The largest difference of a channel, 0 to 1.
    /// - Returns: Nil when the tolerance is negative or NaN, or there is no memory.
    public func trimmed(tolerance: Double = 0) -> Image? {
        guard tolerance >= 0 else { return nil }
        do throws(WebImageError) {
            let part = try bitmap.partInsideMargin(tolerance: tolerance)
            guard let part, part.size != pixelSize else { return self }
            return cropped(to: part)
        } catch {
            return nil
        }
    }
}

extension Bitmap {
    /// The columns and rows that differ from the first pixel; nil when none does.
    ///
    /// - Throws: ``WebImageError/Code/cancelled``.
    package func partInsideMargin(tolerance: Double) throws(WebImageError) -> CropPart? {
        let found = Mutex<CropPart?>(nil)
        // Half of a step allows for the rounding of the product.
        let rounding: Float = format.isFloatingPoint ? 1e-4 : 0.5
        let limit = Float(min(tolerance, 1)) * format.maximum + rounding
        _ = try withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress else { throw .outOfMemory(for: size) }
            let rows = SourceRows(base: base, bytesPerRow: bytesPerRow)
            return try ParallelRows(size: size).allSatisfy { strip in
                let part = differingPart(of: strip, rows, limit: limit)
                if let part { found.withLock { $0 = $0?.joined(with: part) ?? part } }
                return true
            }
        }
        return found.withLock { $0 }
    }

    private func differingPart(of strip: Range<Int>, _ rows: SourceRows, limit: Float) -> CropPart? {
        var corner = [Float](repeating: 0, count: 4)
        webimage_load_floats(rows.row(0), format.channelType, &corner, 1)
        return strip.reduce(nil as CropPart?) { part, y in
            var (first, end) = (0, 0)
            guard
                webimage_differing_columns(
                    rows.row(y), format.channelType, corner, limit, size.width, &first, &end)
            else { return part }
            let row = CropPart(columns: first..<end, rows: y..<y + 1)
            return part?.joined(with: row) ?? row
        }
    }
}
