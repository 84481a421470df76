import Synchronization
import WebImageCore
import WebImagePixels

/// Cuts regions out of rows that are as wide as the picture, and halves them before that as often as it takes.
///
/// Rows come from one thread at a time.
package final class RegionSplitter: PixelRowReceiver, Sendable {
    private let work: Mutex<SplitRows>
    private let colorSpace: ColorSpace

    /// - Parameters:
    ///   - band: The size of all rows that will come.
    ///   - regions: Their columns at the reduction; all have all rows.
    ///   - colorSpace: The colours of the rows.
    package init(
        band: PixelSize, regions: [PixelRegion], reduction: Int, orientation: ImageOrientation, colorSpace: ColorSpace
    ) throws(WebImageError) {
        self.colorSpace = colorSpace
        work = Mutex(try SplitRows(band: band, regions: regions, reduction: reduction, orientation: orientation))
    }

    package func receive(_ row: UnsafeRawBufferPointer) { work.withLock { $0.receive(row) } }

    /// The bitmaps, when all rows have come.
    package func finish() throws(WebImageError) -> [Bitmap] {
        try work.withLock { work throws(WebImageError) in try work.finish(in: colorSpace) }
    }
}

/// `@unchecked Sendable`: raw memory, which is touched under the lock of its only owner.
private final class SplitRows: @unchecked Sendable {
    private struct Piece {
        let columns: Range<Int>
        let size: PixelSize
        let buffer: PixelBuffer
        let rows: OrientedRows
        var isOpaque = true
    }

    private static let bytesPerPixel = 4

    private var pieces: [Piece] = []
    private let halved: HalvedRows
    private var remaining: Int

    init(
        band: PixelSize, regions: [PixelRegion], reduction: Int, orientation: ImageOrientation
    ) throws(WebImageError) {
        halved = try HalvedRows(band, reduction: reduction)
        let size = band.reduced(by: reduction)
        remaining = size.height
        for region in regions {
            let stored = PixelSize(width: region.columns.count, height: size.height)
            guard let buffer = PixelBuffer(byteCount: stored.area * Self.bytesPerPixel),
                let rows = OrientedRows(
                    storedSize: stored, depth: .eight, orientation: orientation, destination: buffer.base)
            else { throw .outOfMemory(for: stored) }
            pieces.append(
                Piece(columns: region.columns, size: orientation.apply(to: stored), buffer: buffer, rows: rows))
        }
    }

    func receive(_ row: UnsafeRawBufferPointer) { halved.receive(row) { split($0) } }

    private func split(_ row: UnsafeRawBufferPointer) {
        guard let start = row.baseAddress, remaining > 0 else { return }
        remaining -= 1
        for place in pieces.indices {
            let piece = pieces[place]
            let target = piece.rows.nextRow
            UnsafeMutableRawPointer(target).copyMemory(
                from: start + piece.columns.lowerBound * Self.bytesPerPixel,
                byteCount: piece.columns.count * Self.bytesPerPixel)
            pieces[place].isOpaque = piece.isOpaque && PixelDepth.eight.isOpaque(target, count: piece.columns.count)
            piece.rows.nextRowIsFinished()
        }
    }

    func finish(in colorSpace: ColorSpace) throws(WebImageError) -> [Bitmap] {
        guard remaining == 0 else { throw .truncated(.undefined) }
        var bitmaps: [Bitmap] = []
        for piece in pieces {
            bitmaps.append(
                try Bitmap(size: piece.size, colorSpace: colorSpace) { base, bytesPerRow in
                    base.copyMemory(from: piece.buffer.base, byteCount: bytesPerRow * piece.size.height)
                    return piece.isOpaque
                })
        }
        return bitmaps
    }
}

/// Halves rows before it passes them on.
package final class ReducedRows: PixelRowReceiver, Sendable {
    private let next: any PixelRowReceiver
    private let work: Mutex<HalvedRows>

    /// - Parameter size: That of the rows that come.
    package init(_ size: PixelSize, reduction: Int, next: any PixelRowReceiver) throws(WebImageError) {
        self.next = next
        work = Mutex(try HalvedRows(size, reduction: reduction))
    }

    package func receive(_ row: UnsafeRawBufferPointer) {
        work.withLock { work in work.receive(row) { next.receive($0) } }
    }
}

/// Halves rows as often as it takes.
///
/// `@unchecked Sendable`: raw memory, which is touched under the lock of its only owner.
private final class HalvedRows: @unchecked Sendable {
    /// Each with room for a row of its result.
    private var halvers: [(halver: PixelHalver, row: PixelBuffer, byteCount: Int)] = []

    init(_ size: PixelSize, reduction: Int) throws(WebImageError) {
        var size = size
        for _ in 0..<reduction.trailingZeroBitCount {
            let half = size.reduced(by: 2)
            guard let row = PixelBuffer(byteCount: half.width * 4) else { throw .outOfMemory(for: half) }
            halvers.append((try PixelHalver(size), row, half.width * 4))
            size = half
        }
    }

    /// Calls `body` with the row of the result that this one completes, if it does.
    func receive(_ row: UnsafeRawBufferPointer, level: Int = 0, _ body: (UnsafeRawBufferPointer) -> Void) {
        guard level < halvers.count else { return body(row) }
        let (halver, result, byteCount) = halvers[level]
        guard halver.add(row, result: result.base) else { return }
        receive(UnsafeRawBufferPointer(start: result.base, count: byteCount), level: level + 1, body)
    }
}
