import WebImageCore

/// Adjacent rows of an unfinished bitmap, which one thread fills.
struct RowStrip {
    /// The rows' numbers in the bitmap.
    let rows: Range<Int>
    private let base: UnsafeMutableRawPointer
    private let bytesPerRow: Int

    init(rows: Range<Int>, base: UnsafeMutableRawPointer, bytesPerRow: Int) {
        self.rows = rows
        self.base = base
        self.bytesPerRow = bytesPerRow
    }

    /// The first byte of row `y` of the bitmap.
    func row(_ y: Int) -> UnsafeMutableRawPointer { base + y * bytesPerRow }
}

/// The rows of a finished bitmap.
struct SourceRows {
    private let base: UnsafeRawPointer
    private let bytesPerRow: Int

    init(base: UnsafeRawPointer, bytesPerRow: Int) {
        self.base = base
        self.bytesPerRow = bytesPerRow
    }

    /// The first byte of row `y`.
    func row(_ y: Int) -> UnsafeRawPointer { base + y * bytesPerRow }
}

extension Bitmap {
    /// A bitmap whose rows are filled on all processors, strip by strip.
    ///
    /// - Parameters:
    ///   - stripHeight: The preferred number of rows in a strip; nil for one that suits most work. Large pictures have
    ///     at least one strip per processor.
    ///   - fill: Fills all rows of a strip, and returns whether all of its pixels are opaque. Called on several threads
    ///     at a time.
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory, ``WebImageError/Code/cancelled`` between
    ///   strips, and the errors of `fill`.
    static func filled(
        size: PixelSize, format: PixelFormat, colorSpace: ColorSpace, stripHeight: Int? = nil,
        unless cancellation: CancellationFlag? = nil, _ fill: (RowStrip) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bitmap {
        try Bitmap(size: size, format: format, colorSpace: colorSpace) { base, bytesPerRow throws(WebImageError) in
            try ParallelRows(size: size, stripHeight: stripHeight)
                .allSatisfy(unless: cancellation) { rows throws(WebImageError) in
                    try fill(RowStrip(rows: rows, base: base, bytesPerRow: bytesPerRow))
                }
        }
    }

    /// A bitmap filled from the rows of this one; by default of the same size and format.
    func mapped(
        to size: PixelSize? = nil, as format: PixelFormat? = nil, stripHeight: Int? = nil,
        unless cancellation: CancellationFlag? = nil, _ fill: (SourceRows, RowStrip) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bitmap {
        try withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress else { throw .outOfMemory(for: self.size) }
            let source = SourceRows(base: base, bytesPerRow: bytesPerRow)
            return try .filled(
                size: size ?? self.size, format: format ?? self.format, colorSpace: colorSpace,
                stripHeight: stripHeight, unless: cancellation
            ) { strip throws(WebImageError) in try fill(source, strip) }
        }
    }
}
