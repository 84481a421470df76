import CPixels
import WebImageCore

/// Resizes a picture row by row, with an antialiased Lanczos filter.
///
/// After the box reduction it holds only the rows within the filter's reach, a few dozen, never the picture.
/// Translucent pixels must be premultiplied, and so is the result.
final class StreamResampler {
    /// The columns and rows of the source that the result depends on, the only ones that it takes.
    let sourceColumns: Range<Int>
    let sourceRows: Range<Int>

    private let filter: SeparableFilter
    private let shrinker: BoxShrinker?
    private let depth: PixelDepth
    private let cellsPerRow: Int

    /// The latest rows after the box reduction; row n is in slot n % slotCount.
    private let ring: PixelBuffer
    private let slotCount: Int

    private var receivedRows = 0
    private var ringRows = 0
    private var writtenRows = 0

    /// A part of a picture.
    struct Part {
        var columns: Range<Int>
        var rows: Range<Int>
    }

    /// - Parameters:
    ///   - depth: The depth of source and result rows; the decoder's may differ.
    ///   - target: The size of the whole result.
    ///   - exactFilter: The filter for all pixels; nil for Lanczos after a first reduction by boxes, which takes less time
    ///     and memory.
    ///   - cache: Has the weights of former ones.
    init(
        _ pixels: PixelSource, depth: PixelDepth, to target: PixelSize, exactFilter: ResamplingFilter? = nil,
        cache: ResampleWeightsCache = .shared
    ) throws(WebImageError) {
        let source = pixels.size
        self.depth = depth
        let factor = exactFilter == nil ? BoxFactor(from: source, to: target) : .identity
        let filter = exactFilter ?? .lanczos3
        let covered =
            pixels.covered ?? PixelSource.Extent(width: Double(source.width), height: Double(source.height))
        let horizontal = cache.weights(
            of: ResampleWeightsCache.Side(
                sourceLength: covered.width / Double(factor.x),
                cellCount: factor.cells(in: source.width, by: factor.x), count: target.width, depth: depth,
                filter: filter))
        let vertical = cache.weights(
            of: ResampleWeightsCache.Side(
                sourceLength: covered.height / Double(factor.y),
                cellCount: factor.cells(in: source.height, by: factor.y), count: target.height, depth: depth,
                filter: filter))
        sourceColumns = factor.pixels(of: horizontal.cells, in: source.width, by: factor.x)
        sourceRows = factor.pixels(of: vertical.cells, in: source.height, by: factor.y)
        cellsPerRow = horizontal.cells.count
        slotCount = vertical.maximumTapCount
        let rowByteCount = cellsPerRow * depth.bytesPerPixel
        guard let ring = PixelBuffer(byteCount: slotCount * rowByteCount),
            let separable = SeparableFilter(
                columns: horizontal, rows: vertical, depth: depth, hasAlpha: pixels.hasAlpha)
        else { throw .outOfMemory(for: target) }
        self.ring = ring
        self.filter = separable
        if factor.isIdentity {
            shrinker = nil
        } else {
            guard let shrinker = BoxShrinker(width: sourceColumns.count, factor: factor, depth: depth) else {
                throw .outOfMemory(for: target)
            }
            self.shrinker = shrinker
        }
    }

    /// The buffer for the next row of the source.
    var inputRow: UnsafeMutablePointer<UInt8> { shrinker?.inputRow ?? slot(of: ringRows) }

    /// Processes ``inputRow``. Fetch all rows that it completes by ``writeOutputRow(to:)``.
    func inputRowIsFilled() {
        receivedRows += 1
        guard let shrinker else {
            ringRows += 1
            return
        }
        if shrinker.addInputRow(isLast: receivedRows == sourceRows.count, result: slot(of: ringRows)) { ringRows += 1 }
    }

    /// Writes the next row of the result if its source rows have arrived.
    func writeOutputRow(to result: UnsafeMutablePointer<UInt8>) -> Bool {
        guard writtenRows < filter.rowCount else { return false }
        guard filter.cells(ofRow: writtenRows).upperBound <= ringRows else { return false }
        filter.writeRow(writtenRows, to: result) { UnsafePointer(slot(of: $0)) }
        writtenRows += 1
        return true
    }

    private func slot(of row: Int) -> UnsafeMutablePointer<UInt8> {
        ring.base + row % slotCount * cellsPerRow * depth.bytesPerPixel
    }
}
