extension Bitmap {
    /// The resized pixels; the bitmap itself where nothing changes.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    func resized(_ geometry: ResizeGeometry) throws(WebImageError) -> Bitmap {
        guard geometry.canvas != size || geometry.placed != size else { return self }
        return try Bitmap(size: geometry.canvas, format: format, colorSpace: colorSpace) {
            base, rowLength throws(WebImageError) in
            if geometry.hasMargin {
                base.initializeMemory(as: UInt8.self, repeating: 0, count: rowLength * geometry.canvas.height)
            }
            let part = geometry.visible
            let target = PixelBlock(
                base: base.assumingMemoryBound(to: UInt8.self), bytesPerRow: rowLength, depth: format.depth,
                columns: part.columns.lowerBound + geometry.x..<part.columns.upperBound + geometry.x,
                rows: part.rows.lowerBound + geometry.y..<part.rows.upperBound + geometry.y)
            if geometry.placed == size {
                copy(part, to: target)
            } else {
                try resample(part, of: geometry.placed, to: target)
            }
            return !geometry.hasMargin && (isOpaque || target.isOpaque)
        }
    }

    private func copy(_ part: StreamResampler.Part, to target: PixelBlock) {
        withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for (index, row) in part.rows.enumerated() {
                let from = base + row * bytesPerRow + part.columns.lowerBound * format.bytesPerPixel
                target.row(index).update(from: from, count: part.columns.count * format.bytesPerPixel)
            }
        }
    }

    /// The filter must weight colours by their alpha, so straight pixels are premultiplied meanwhile.
    private func resample(
        _ part: StreamResampler.Part, of placed: PixelSize, to target: PixelBlock
    ) throws(WebImageError) {
        let depth = format.depth
        let resampler = try StreamResampler(
            PixelSource(size: size, isOpaque: isOpaque), depth: depth, to: placed, part: part)
        let columns = resampler.sourceColumns
        let isStraight = !format.isPremultiplied && !isOpaque
        var written = 0
        withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in resampler.sourceRows {
                let from = base + row * bytesPerRow + columns.lowerBound * format.bytesPerPixel
                resampler.inputRow.update(from: from, count: columns.count * format.bytesPerPixel)
                if isStraight { depth.premultiply(resampler.inputRow, count: columns.count) }
                resampler.inputRowIsFilled()
                while written < part.rows.count, resampler.writeOutputRow(to: target.row(written)) {
                    if isStraight { depth.unpremultiply(target.row(written), count: part.columns.count) }
                    written += 1
                }
            }
        }
    }
}

/// A rectangle of pixels in an unfinished bitmap.
private struct PixelBlock {
    let base: UnsafeMutablePointer<UInt8>
    let bytesPerRow: Int
    let depth: PixelDepth
    let columns: Range<Int>
    let rows: Range<Int>

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> {
        base + (rows.lowerBound + index) * bytesPerRow + columns.lowerBound * depth.bytesPerPixel
    }

    var isOpaque: Bool { rows.indices.allSatisfy { depth.isOpaque(row($0 - rows.lowerBound), count: columns.count) } }
}
