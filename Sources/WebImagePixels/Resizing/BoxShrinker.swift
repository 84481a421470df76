import CPixels
import WebImageCore

/// Averages blocks of whole pixels: the cheap first part of a large reduction.
final class BoxShrinker {
    /// The buffer for the next row of the source.
    var inputRow: UnsafeMutablePointer<UInt8> { row.base }

    private let width: Int
    private let factor: BoxFactor
    private let row: PixelBuffer
    private let depth: PixelDepth
    /// The sums of each column's channels, in integers of twice their depth.
    private let sums: PixelBuffer
    private var rowsInSums = 0

    init?(width: Int, factor: BoxFactor, depth: PixelDepth) {
        let byteCount = width * depth.bytesPerPixel
        guard let row = PixelBuffer(byteCount: byteCount), let sums = PixelBuffer(byteCount: byteCount * 2) else {
            return nil
        }
        sums.base.clear(count: byteCount * 2)
        self.width = width
        self.factor = factor
        self.depth = depth
        self.row = row
        self.sums = sums
    }

    /// Adds ``inputRow``. When a row of blocks is complete, writes its averages to `result` and returns true.
    func addInputRow(isLast: Bool, result: UnsafeMutablePointer<UInt8>) -> Bool {
        rowsInSums += 1
        let isComplete = rowsInSums == factor.y || isLast
        let sums = UnsafeMutableRawPointer(sums.base)
        switch depth {
        case .eight:
            let channels = sums.assumingMemoryBound(to: UInt16.self)
            webimage_box_add(row.base, channels, width * 4)
            if isComplete { webimage_box_average(channels, width, factor.x, rowsInSums, result) }
        case .sixteen:
            let channels = sums.assumingMemoryBound(to: UInt32.self)
            webimage_deep_box_add(row.base, channels, width * 4)
            if isComplete { webimage_deep_box_average(channels, width, factor.x, rowsInSums, result) }
        }
        if isComplete { rowsInSums = 0 }
        return isComplete
    }
}

/// The number of whole pixels by which a picture is reduced before the exact filter.
package struct BoxFactor: Hashable {
    package let x: Int
    package let y: Int

    /// The ratio that remains for the filter: from 3 on, its result is indistinguishable from one without the box.
    private static let filterRatio = 3
    private static let maximum = Int(WEBIMAGE_BOX_LIMIT)

    package init(from source: PixelSize, to target: PixelSize) {
        x = min(Self.maximum, max(1, source.width / (target.width * Self.filterRatio)))
        y = min(Self.maximum, max(1, source.height / (target.height * Self.filterRatio)))
    }

    /// A half of each side.
    static let half = BoxFactor(x: 2, y: 2)

    /// No reduction.
    static let identity = BoxFactor(x: 1, y: 1)

    private init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    var isIdentity: Bool { x == 1 && y == 1 }

    /// Whole pairs of pixels, which share a chroma sample; 0 for smaller blocks.
    package var inPairs: BoxFactor { BoxFactor(x: x & ~1, y: y & ~1) }

    /// The same block in chroma samples.
    package var halved: BoxFactor { BoxFactor(x: x / 2, y: y / 2) }

    /// The number of cells along a side; the last one may be partial.
    package func cells(in length: Int, by factor: Int) -> Int { (length + factor - 1) / factor }

    /// The pixels of a range of cells along a side.
    package func pixels(of cells: Range<Int>, in length: Int, by factor: Int) -> Range<Int> {
        cells.lowerBound * factor..<min(length, cells.upperBound * factor)
    }
}
