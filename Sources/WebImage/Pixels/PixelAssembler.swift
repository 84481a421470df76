/// Makes the final ``Bitmap`` out of what a decoder delivers: resamples to the thumbnail size, converts colours, turns
/// the picture upright and multiplies by alpha as the options say.
///
/// ```swift
/// let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
/// let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
///     while rows.remaining > 0 { try rows.withNext { row throws(WebImageError) in try decoder.read(into: row) } }
/// }
/// ```
/// A full-size picture needs no second buffer, and a thumbnail never has the whole picture in memory when it is
/// delivered by rows. Limits are the decoder's to check first: ``ImageLimits/check(source:held:)``.
package struct PixelAssembler {
    private let source: PixelSource
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private let plan: PixelPlan

    /// - Parameter geometry: Of the whole picture; `source.size` may be smaller already, but not under
    ///   `geometry.storedOutputSize`.
    package init(source: PixelSource, geometry: ThumbnailGeometry, options: ImageDecodeOptions) {
        self.source = source
        self.geometry = geometry
        self.options = options
        plan = PixelPlan(source: source, options: options)
    }

    /// For decoders that work row by row: `decode` asks for the memory of one row after the other and fills each.
    ///
    /// - Throws: What `decode` throws, ``WebImageError/Code/cancelled`` between rows, and
    ///   ``WebImageError/Code/truncatedImageData`` when `decode` returns before the last row.
    package func assembleRows(
        _ decode: (PixelRows) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        try makeBitmap { base throws(WebImageError) in
            let rows = try makeRows(makeOutput(base))
            try decode(rows)
            return try rows.finish()
        }
    }

    /// For decoders that need the whole picture in memory: `decode` fills `source.size.height` rows that lie
    /// `bytesPerRow` apart. The memory is the bitmap's own where nothing is resampled, turned or made deeper or flatter.
    ///
    /// - Throws: What `decode` throws, and ``WebImageError/Code/cancelled`` between rows afterwards.
    package func assemblePicture(
        _ decode: (_ base: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        let bytesPerRow = sourceBytesPerRow
        if source.size == geometry.outputSize && geometry.orientation == .up && plan.isInPlace {
            return try makeBitmap { base throws(WebImageError) in
                try decode(base, bytesPerRow)
                let rows = try makeRows(makeOutput(base))
                while rows.remaining > 0 { try rows.withNext { _ in } }
                return try rows.finish()
            }
        }
        guard let picture = PixelBuffer(byteCount: bytesPerRow * source.size.height) else {
            throw .outOfMemory(for: source.size)
        }
        try decode(picture.base, bytesPerRow)
        return try assembleRows { rows throws(WebImageError) in
            for index in 0..<source.size.height {
                try rows.withNext { row in
                    row.update(from: picture.base + index * bytesPerRow, count: bytesPerRow)
                }
            }
        }
    }

    /// The size of the result, as seen.
    package var outputSize: PixelSize { geometry.outputSize }

    /// Bytes of a row as the decoder delivers it.
    package var sourceBytesPerRow: Int { source.size.width * plan.sourceDepth.bytesPerPixel }

    /// Bytes of the result.
    package var byteCount: Int { outputSize.area * plan.outputFormat.bytesPerPixel }

    /// Allocates the result and lets `fill` write it and say whether all pixels are opaque.
    func makeBitmap(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bitmap {
        try Bitmap(
            size: geometry.outputSize, format: plan.outputFormat, colorSpace: plan.colorSpace
        ) { base, _ throws(WebImageError) in
            try fill(base.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// What puts finished rows into memory for the result.
    func makeOutput(_ base: UnsafeMutablePointer<UInt8>) throws(WebImageError) -> OrientedRows {
        guard
            let output = OrientedRows(
                storedSize: geometry.storedOutputSize, depth: plan.outputFormat.depth,
                orientation: geometry.orientation, destination: base)
        else { throw .outOfMemory(for: geometry.outputSize) }
        return output
    }

    /// The conveyor to `output`.
    func makeRows(_ output: OrientedRows) throws(WebImageError) -> PixelRows {
        try PixelRows(source: source, output: output, plan: plan, options: options)
    }
}
