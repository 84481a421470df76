import CPixels
import WebImageCore

/// The weighted sums that make rows of a resized picture from rows of its source: first of columns of pixels, then along
/// the resulting row.
///
/// Translucent pixels must be premultiplied, and so is the result. One thread at a time.
final class SeparableFilter {
    /// The number of rows of the result.
    let rowCount: Int

    private let horizontal: ResampleWeights
    private let vertical: ResampleWeights
    private let depth: PixelDepth
    private let hasAlpha: Bool
    /// The sums of a row, at twice the depth.
    private let sums: PixelBuffer
    private var rowPointers: [UnsafePointer<UInt8>?]

    /// Nil without memory.
    init?(columns: ResampleWeights, rows: ResampleWeights, depth: PixelDepth, hasAlpha: Bool) {
        let byteCount = (columns.cells.count + ResampleWeights.padding) * depth.bytesPerPixel * 2
        guard let sums = PixelBuffer(byteCount: byteCount) else { return nil }
        self.sums = sums
        (horizontal, vertical) = (columns, rows)
        self.depth = depth
        self.hasAlpha = hasAlpha
        rowCount = rows.starts.count
        rowPointers = Array(repeating: nil, count: rows.maximumTapCount)
    }

    /// The rows of the source that row `index` of the result needs, from the first one that any needs.
    func cells(ofRow index: Int) -> Range<Int> { vertical.cells(of: index) }

    /// Writes row `index` of the result.
    ///
    /// - Parameter sourceRow: The first needed column of a row of the source, in the numbers of ``cells(ofRow:)``.
    func writeRow(
        _ index: Int, to result: UnsafeMutablePointer<UInt8>, from sourceRow: (Int) -> UnsafePointer<UInt8>
    ) {
        let cells = cells(ofRow: index)
        for (tap, row) in cells.enumerated() { rowPointers[tap] = sourceRow(row) }
        switch depth {
        case .eight: filter(index, rowCount: cells.count, to: result)
        case .sixteen: filterDeep(index, rowCount: cells.count, to: result)
        }
    }

    private func filter(_ index: Int, rowCount: Int, to result: UnsafeMutablePointer<UInt8>) {
        let sums = UnsafeMutableRawPointer(sums.base).assumingMemoryBound(to: Int16.self)
        vertical.weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            webimage_resample_vertically(
                rowPointers, base + index * vertical.stride, rowCount, sums, horizontal.cells.count * 4)
        }
        webimage_resample_horizontally(
            sums, horizontal.starts, horizontal.tapCounts, horizontal.weights, horizontal.stride,
            hasAlpha, result, horizontal.starts.count)
    }

    private func filterDeep(_ index: Int, rowCount: Int, to result: UnsafeMutablePointer<UInt8>) {
        let sums = UnsafeMutableRawPointer(sums.base).assumingMemoryBound(to: Float.self)
        vertical.deepWeights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            webimage_deep_resample_vertically(
                rowPointers, base + index * vertical.stride, rowCount, sums, horizontal.cells.count * 4)
        }
        webimage_deep_resample_horizontally(
            sums, horizontal.starts, horizontal.tapCounts, horizontal.deepWeights, horizontal.stride,
            hasAlpha, result, horizontal.starts.count)
    }
}
