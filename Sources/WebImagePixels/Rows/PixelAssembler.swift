import WebImageCore

/// Makes the final ``Bitmap`` from a decoder's pixels: resamples to the thumbnail size, converts colours, applies the
/// orientation and premultiplies as the options require.
///
/// ```swift
/// let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
/// let bitmap = try assembler.assembleRows { rows throws(WebImageError) in
///     while rows.remaining > 0 { try rows.withNext { row throws(WebImageError) in try decoder.read(into: row) } }
/// }
/// ```
/// A full-size picture needs no second buffer, and a thumbnail that is delivered by rows never needs the whole picture
/// in memory. The decoder checks the limits first: ``ImageLimits/check(_:source:held:)``.
package struct PixelAssembler {
    private let source: PixelSource
    private let geometry: ThumbnailGeometry
    private let options: ImageDecodeOptions
    private let plan: PixelPlan

    /// - Parameter geometry: That of the whole picture; `source.size` may be smaller, but not below
    ///   `geometry.storedOutputSize`.
    package init(source: PixelSource, geometry: ThumbnailGeometry, options: ImageDecodeOptions) {
        let plan = PixelPlan(source: source, options: options)
        self.init(source: source, geometry: geometry, options: options, plan: plan)
    }

    init(source: PixelSource, geometry: ThumbnailGeometry, options: ImageDecodeOptions, plan: PixelPlan) {
        self.source = source
        self.geometry = geometry
        self.options = options
        self.plan = plan
    }

    /// For decoders that work row by row: `decode` requests the memory for one row at a time and fills it.
    ///
    /// - Throws: The errors of `decode`, ``WebImageError/Code/cancelled`` between rows, and
    ///   ``WebImageError/Code/truncatedImageData`` when `decode` returns before the last row.
    package func assembleRows(
        _ decode: (PixelRows) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        if let receiver = options.rowReceiver { return try deliverRows(to: receiver, decode) }
        return try makeBitmap { base throws(WebImageError) in
            let rows = try makeRows(makeOutput(base))
            try decode(rows)
            return try rows.finish()
        }
    }

    /// Hands finished rows on as they come, in stored orientation.
    ///
    /// - Returns: A pixel that stands for the picture.
    private func deliverRows(
        to receiver: any PixelRowReceiver, _ decode: (PixelRows) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        let size = geometry.orientation.apply(to: outputSize)
        guard let output = OrientedRows(size: size, depth: plan.outputFormat.depth, receiver: receiver) else {
            throw .outOfMemory(for: outputSize)
        }
        let rows = try makeRows(output)
        try decode(rows)
        _ = try rows.finish()
        return try Bitmap(size: PixelSize(width: 1, height: 1), pixels: [0, 0, 0, 0])
    }

    /// For decoders that need the whole picture in memory: `decode` fills `source.size.height` rows `bytesPerRow` bytes
    /// apart. The memory is the bitmap's own where pixels are not resampled, rotated or converted to another depth.
    ///
    /// - Throws: The errors of `decode`, and ``WebImageError/Code/cancelled`` between rows afterwards.
    package func assemblePicture(
        _ decode: (_ base: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Void
    ) throws(WebImageError) -> Bitmap {
        let bytesPerRow = sourceBytesPerRow
        let isInPlace = source.size == geometry.resultSize && geometry.orientation == .up && plan.isInPlace
        if isInPlace && options.rowReceiver == nil {
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

    /// The size of the upright result.
    package var outputSize: PixelSize { geometry.resultSize }

    /// The bytes of a decoder's row.
    package var sourceBytesPerRow: Int { source.size.width * plan.sourceDepth.bytesPerPixel }

    /// The bytes of the result.
    package var byteCount: Int { outputSize.area * plan.outputFormat.bytesPerPixel }

    /// Allocates the result and lets `fill` write it and return whether all pixels are opaque.
    func makeBitmap(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bitmap {
        try Bitmap(
            size: outputSize, format: plan.outputFormat, colorSpace: plan.colorSpace
        ) { base, _ throws(WebImageError) in
            try fill(base.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// Writes finished rows to the result's memory.
    func makeOutput(_ base: UnsafeMutablePointer<UInt8>) throws(WebImageError) -> OrientedRows {
        guard
            let output = OrientedRows(
                storedSize: geometry.orientation.apply(to: outputSize), depth: plan.outputFormat.depth,
                orientation: geometry.orientation, destination: base)
        else { throw .outOfMemory(for: outputSize) }
        return output
    }

    /// The row pipeline to `output`.
    func makeRows(_ output: OrientedRows) throws(WebImageError) -> PixelRows {
        try PixelRows(source: source, geometry: geometry, output: output, plan: plan, options: options)
    }
}
