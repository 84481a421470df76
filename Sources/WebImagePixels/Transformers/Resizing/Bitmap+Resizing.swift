import WebImageCore

extension Bitmap {
    /// The pixels stretched to `size`.
    ///
    /// The filter weights colours by their alpha, so that transparent pixels leave no fringe. Uses all processors;
    /// blocks; any thread.
    /// - Parameters:
    ///   - size: At least 1 × 1, in pixels.
    ///   - inLinearLight: Whether the filter mixes light instead of sRGB's numbers, which makes fine bright lines
    ///     brighter: slower. For other colour spaces than sRGB and Display P3, which has the same curve, it has no effect.
    /// - Throws: ``WebImageError/Code/invalidOperation`` when `size` has no pixels or more than the default
    ///   ``ImageLimits/maximumPixelCount``, ``WebImageError/Code/limitExceeded`` when there is no memory.
    public func resized(
        to size: PixelSize, filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false
    ) throws(WebImageError) -> Bitmap {
        let points = PointSize(width: Double(size.width), height: Double(size.height))
        guard let geometry = ResizeGeometry(source: self.size, size: points, scale: 1, mode: .fill) else {
            throw .invalidOperation("a picture cannot be resized to \(size) pixels")
        }
        return try resized(geometry, filter: filter, inLinearLight: inLinearLight)
    }

    /// The resized pixels; the bitmap itself where nothing changes.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    package func resized(
        _ geometry: ResizeGeometry, filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false
    ) throws(WebImageError) -> Bitmap {
        guard geometry.placed != size else { return try placed(geometry) }
        return try withPremultipliedPixels { bitmap throws(WebImageError) in
            let resampler = try BitmapResampler(bitmap, geometry, filter: filter, inLinearLight: inLinearLight)
            return try bitmap.mapped(to: geometry.canvas) { source, strip throws(WebImageError) in
                try resampler.fill(strip, from: source)
            }
        }
    }

    /// The pixels in a canvas of another size, not resized.
    private func placed(_ geometry: ResizeGeometry) throws(WebImageError) -> Bitmap {
        guard geometry.canvas != size else { return self }
        let (part, bytesPerPixel) = (geometry.visible, format.bytesPerPixel)
        return try mapped(to: geometry.canvas) { source, strip in
            for y in strip.rows {
                let row = CanvasRow(strip.row(y), geometry: geometry, bytesPerPixel: bytesPerPixel)
                row.clearMargin(wholly: !geometry.visibleRows.contains(y))
                guard geometry.visibleRows.contains(y) else { continue }
                row.visible.copyMemory(
                    from: source.row(y - geometry.y) + part.columns.lowerBound * bytesPerPixel,
                    byteCount: part.columns.count * bytesPerPixel)
            }
            return isOpaque && !geometry.hasMargin
        }
    }
}

/// A row of the canvas into which a picture is placed.
struct CanvasRow {
    private let base: UnsafeMutableRawPointer
    private let columns: Range<Int>
    private let width: Int
    private let bytesPerPixel: Int

    init(_ base: UnsafeMutableRawPointer, geometry: ResizeGeometry, bytesPerPixel: Int) {
        self.base = base
        columns = geometry.visibleColumns
        width = geometry.canvas.width
        self.bytesPerPixel = bytesPerPixel
    }

    /// The place of the picture's first visible pixel.
    var visible: UnsafeMutableRawPointer { base + columns.lowerBound * bytesPerPixel }

    /// Clears the pixels beside the picture, or the whole row.
    func clearMargin(wholly: Bool) {
        let margins = wholly ? [0..<width] : [0..<columns.lowerBound, columns.upperBound..<width]
        for margin in margins where !margin.isEmpty {
            (base + margin.lowerBound * bytesPerPixel).initializeMemory(
                as: UInt8.self, repeating: 0, count: margin.count * bytesPerPixel)
        }
    }
}
