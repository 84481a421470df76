import CPixels

/// Averages blocks of whole pixels: the cheap first part of a large reduction.
final class BoxShrinker {
    /// Where the next row of the source is to be written.
    var inputRow: UnsafeMutablePointer<UInt8> { row.base }

    private let width: Int
    private let factor: BoxFactor
    private let row: PixelBuffer
    private var sums: [UInt32]
    private var rowsInSums = 0

    init?(width: Int, factor: BoxFactor) {
        guard let row = PixelBuffer(byteCount: width * 4) else { return nil }
        self.width = width
        self.factor = factor
        self.row = row
        sums = [UInt32](repeating: 0, count: factor.cells(in: width, by: factor.x) * 4)
    }

    /// Adds ``inputRow``. Writes a row of averages to `result` when a row of blocks is complete, and says so.
    func addInputRow(isLast: Bool, result: UnsafeMutablePointer<UInt8>) -> Bool {
        sums.withUnsafeMutableBufferPointer { webimage_box_add(row.base, width, factor.x, $0.baseAddress) }
        rowsInSums += 1
        guard rowsInSums == factor.y || isLast else { return false }
        writeAverages(to: result)
        rowsInSums = 0
        return true
    }

    private func writeAverages(to result: UnsafeMutablePointer<UInt8>) {
        let wholeCells = width / factor.x
        let rest = width % factor.x
        sums.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            webimage_box_average(base, wholeCells, UInt32(factor.x * rowsInSums), result)
            guard rest > 0 else { return }
            webimage_box_average(base + wholeCells * 4, 1, UInt32(rest * rowsInSums), result + wholeCells * 4)
        }
    }
}

/// By how many whole pixels a picture is shrunk before the exact filter.
struct BoxFactor: Hashable {
    let x: Int
    let y: Int

    /// The filter is left a ratio of 3 at least, at which its result cannot be told from one without the box.
    private static let filterRatio = 3
    /// Sums of 2,048 × 2,048 bytes fit 32 bits.
    private static let maximum = 2048

    init(from source: PixelSize, to target: PixelSize) {
        x = min(Self.maximum, max(1, source.width / (target.width * Self.filterRatio)))
        y = min(Self.maximum, max(1, source.height / (target.height * Self.filterRatio)))
    }

    var isIdentity: Bool { x == 1 && y == 1 }

    /// Cells along a side, the last of which may be cut.
    func cells(in length: Int, by factor: Int) -> Int { (length + factor - 1) / factor }
}
