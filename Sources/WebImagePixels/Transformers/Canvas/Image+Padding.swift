import WebImageCore

extension Image {
    /// The picture with a margin around it. The result is a still picture in memory with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - insets: The widths of the margin in points, rounded to whole pixels.
    ///   - color: The margin's colour; transparent by default.
    /// - Returns: Nil when a width is negative, infinite or NaN, the result has more pixels than the default
    ///   ``ImageLimits/maximumPixelCount``, or there is no memory.
    public func padded(by insets: EdgeInsets, color: RGBAColor = .clear) -> Image? {
        guard let canvas = insets.canvas(around: pixelSize, scale: scale) else { return nil }
        return (try? bitmap.placed(in: canvas.size, x: canvas.x, y: canvas.y, color: color)).map(still)
    }
}

extension Bitmap {
    /// The pixels in a larger canvas.
    func placed(in canvas: PixelSize, x: Int, y: Int, color: RGBAColor) throws(WebImageError) -> Bitmap {
        guard canvas != size else { return self }
        let (size, bytesPerPixel, bytesPerRow) = (size, format.bytesPerPixel, bytesPerRow)
        let isOpaque = isOpaque && color.alpha == 255
        let background = try Bitmap(
            size: PixelSize(width: canvas.width, height: 1), color: color.numbers(in: colorSpace), format: format)
        return try mapped(to: canvas) { source, strip in
            background.withUnsafeBytes { colors in
                for row in strip.rows {
                    if let margin = colors.baseAddress {
                        strip.row(row).copyMemory(from: margin, byteCount: colors.count)
                    }
                    guard y..<y + size.height ~= row else { continue }
                    (strip.row(row) + x * bytesPerPixel).copyMemory(from: source.row(row - y), byteCount: bytesPerRow)
                }
            }
            return isOpaque
        }
    }
}
