import CPixels

/// Averages blocks of whole pixels: the cheap first part of a large reduction.
final class BoxShrinker {
    /// Where the next row of the source is to be written.
    var inputRow: UnsafeMutablePointer<UInt8> { row.base }

    private let width: Int
    private let factor: BoxFactor
    private let row: PixelBuffer
    private var sums: [UInt16]
    private var rowsInSums = 0

    init?(width: Int, factor: BoxFactor) {
        guard let row = PixelBuffer(byteCount: width * 4) else { return nil }
        self.width = width
        self.factor = factor
        self.row = row
        sums = [UInt16](repeating: 0, count: width * 4)
    }

    /// Adds ``inputRow``. Writes a row of averages to `result` when a row of blocks is complete, and says so.
    func addInputRow(isLast: Bool, result: UnsafeMutablePointer<UInt8>) -> Bool {
        webimage_box_add(row.base, &sums, width * 4)
        rowsInSums += 1
        guard rowsInSums == factor.y || isLast else { return false }
        webimage_box_average(&sums, width, factor.x, rowsInSums, result)
        rowsInSums = 0
        return true
    }
}

/// By how many whole pixels a picture is shrunk before the exact filter.
struct BoxFactor: Hashable {
    let x: Int
    let y: Int

    /// The filter is left a ratio of 3 at least, at which its result cannot be told from one without the box.
    private static let filterRatio = 3
    private static let maximum = Int(WEBIMAGE_BOX_LIMIT)

    init(from source: PixelSize, to target: PixelSize) {
        x = min(Self.maximum, max(1, source.width / (target.width * Self.filterRatio)))
        y = min(Self.maximum, max(1, source.height / (target.height * Self.filterRatio)))
    }

    var isIdentity: Bool { x == 1 && y == 1 }

    /// Cells along a side, the last of which may be cut.
    func cells(in length: Int, by factor: Int) -> Int { (length + factor - 1) / factor }

    /// The pixels of some cells along a side.
    func pixels(of cells: Range<Int>, in length: Int, by factor: Int) -> Range<Int> {
        cells.lowerBound * factor..<min(length, cells.upperBound * factor)
    }
}
