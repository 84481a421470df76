import WebImageCore

/// A picture whose rows arrive over time, with partial pictures before the last row: missing rows are transparent.
/// Belongs to one thread at a time.
package final class GrowingPicture {
    /// The share of new rows from which another partial picture is worthwhile: it costs a copy of the whole, and fewer
    /// rows make no visible difference.
    private static let leastGrowth = 0.05

    private let assembler: PixelAssembler
    private let pixels: PixelBuffer
    private let output: OrientedRows
    private let rows: PixelRows
    private var shownRows = 0

    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory for it.
    package init(_ assembler: PixelAssembler) throws(WebImageError) {
        guard let pixels = PixelBuffer(byteCount: assembler.byteCount) else {
            throw .outOfMemory(for: assembler.outputSize)
        }
        pixels.base.clear(count: assembler.byteCount)
        self.assembler = assembler
        self.pixels = pixels
        output = try assembler.makeOutput(pixels.base)
        rows = try assembler.makeRows(output)
    }

    package var isComplete: Bool { rows.remaining == 0 }

    /// Adds rows as long as `fill` has some: it writes the next one and returns whether it did.
    package func addRows(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool
    ) throws(WebImageError) {
        while rows.remaining > 0, try rows.tryNext(fill) {}
    }

    /// Adds the next row, for decoders that push rows; ignores rows after the last.
    package func addRow(_ pixels: UnsafePointer<UInt8>) throws(WebImageError) {
        guard rows.remaining > 0 else { return }
        try rows.withNext { $0.update(from: pixels, count: assembler.sourceBytesPerRow) }
    }

    /// The partial picture; nil when there is hardly more than in the last one.
    package func look() throws(WebImageError) -> Bitmap? {
        let growth = output.placedRows - shownRows
        guard growth > 0, isComplete || Double(growth) >= Self.leastGrowth * Double(output.storedSize.height) else {
            return nil
        }
        shownRows = output.placedRows
        return try assembler.makeBitmap { base throws(WebImageError) in
            base.update(from: pixels.base, count: assembler.byteCount)
            return isComplete ? try rows.finish() : false
        }
    }
}
