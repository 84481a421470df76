import WebImageCore

/// Resizes a premultiplied or opaque bitmap, strip by strip, straight from its rows.
struct BitmapResampler: Sendable {
    private let geometry: ResizeGeometry
    private let size: PixelSize
    private let format: PixelFormat
    private let hasAlpha: Bool
    private let filter: ResamplingFilter
    private let columns: ResampleWeights
    private let light: LinearLight?
    /// Fixed-point weights, or floating-point ones.
    private let weightDepth: PixelDepth

    /// - Parameter geometry: Its size differs from the bitmap's.
    init(
        _ bitmap: Bitmap, _ geometry: ResizeGeometry, filter: ResamplingFilter, inLinearLight: Bool
    ) throws(WebImageError) {
        self.geometry = geometry
        size = bitmap.size
        format = bitmap.format
        hasAlpha = !bitmap.isOpaque
        self.filter = filter
        let hasCurve = bitmap.colorSpace == .sRGB || bitmap.colorSpace == .displayP3
        light = inLinearLight && hasCurve && !format.isFloatingPoint ? .shared : nil
        weightDepth = light == nil ? format.depth : .sixteen
        columns = ResampleWeights(
            sourceLength: Double(size.width), cellCount: size.width, count: geometry.placed.width,
            part: geometry.visible.columns, depth: weightDepth, filter: filter)
    }

    /// Fills a strip of the canvas, and returns whether all of its pixels are opaque.
    func fill(_ strip: RowStrip, from source: SourceRows) throws(WebImageError) -> Bool {
        let rows = strip.rows.clamped(to: geometry.visibleRows)
        for y in strip.rows { canvasRow(strip, y).clearMargin(wholly: !rows.contains(y)) }
        guard !rows.isEmpty else { return false }
        let weights = ResampleWeights(
            sourceLength: Double(size.height), cellCount: size.height, count: geometry.placed.height,
            part: rows.lowerBound - geometry.y..<rows.upperBound - geometry.y,
            depth: weightDepth, filter: filter)
        if light != nil || format.isFloatingPoint {
            let filter = try FloatFilter(
                columns: columns, rows: weights, format: format, hasAlpha: hasAlpha, light: light)
            for (index, y) in rows.enumerated() {
                filter.writeRow(index, to: canvasRow(strip, y).visible, from: source)
            }
        } else {
            try fill(rows, of: strip, from: source, weights)
        }
        return isOpaque(rows, of: strip)
    }

    private func fill(
        _ rows: Range<Int>, of strip: RowStrip, from source: SourceRows, _ weights: ResampleWeights
    ) throws(WebImageError) {
        guard let filter = SeparableFilter(columns: columns, rows: weights, depth: format.depth, hasAlpha: hasAlpha)
        else { throw .outOfMemory(for: geometry.canvas) }
        let firstColumn = columns.cells.lowerBound * format.bytesPerPixel
        for (index, y) in rows.enumerated() {
            let result = canvasRow(strip, y).visible.assumingMemoryBound(to: UInt8.self)
            filter.writeRow(index, to: result) { row in
                (source.row(weights.cells.lowerBound + row) + firstColumn).assumingMemoryBound(to: UInt8.self)
            }
        }
    }

    private func canvasRow(_ strip: RowStrip, _ y: Int) -> CanvasRow {
        CanvasRow(strip.row(y), geometry: geometry, bytesPerPixel: format.bytesPerPixel)
    }

    private func isOpaque(_ rows: Range<Int>, of strip: RowStrip) -> Bool {
        guard !geometry.hasMargin else { return false }
        guard hasAlpha else { return true }
        return rows.allSatisfy {
            let row = canvasRow(strip, $0).visible.assumingMemoryBound(to: UInt8.self)
            return format.isOpaque(row, count: geometry.visibleColumns.count)
        }
    }
}
