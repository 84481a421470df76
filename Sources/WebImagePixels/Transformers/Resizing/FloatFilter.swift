import CPixels
import WebImageCore

/// The sums of ``SeparableFilter`` over floating-point numbers, and in light instead of sRGB's numbers where it is wished.
/// One thread at a time.
final class FloatFilter {
    private let horizontal: ResampleWeights
    private let vertical: ResampleWeights
    private let format: PixelFormat
    private let hasAlpha: Bool
    private let light: LinearLight?
    /// The latest rows of the source, filtered along the row; row n is in slot n % slotCount.
    private let ring: FloatRows
    private let slotCount: Int
    private let sourceRow: FloatRows
    private let resultRow: FloatRows
    private var loadedRows = 0
    private var rowPointers: [UnsafePointer<Float>?]

    init(
        columns: ResampleWeights, rows: ResampleWeights, format: PixelFormat, hasAlpha: Bool, light: LinearLight?
    ) throws(WebImageError) {
        (horizontal, vertical) = (columns, rows)
        self.format = format
        self.hasAlpha = hasAlpha
        self.light = light
        slotCount = rows.maximumTapCount
        ring = try FloatRows(width: columns.starts.count, count: slotCount)
        sourceRow = try FloatRows(width: columns.cells.count, count: 1)
        resultRow = try FloatRows(width: columns.starts.count, count: 1)
        rowPointers = Array(repeating: nil, count: slotCount)
    }

    /// Writes row `index` of the result; rows in their order.
    func writeRow(_ index: Int, to result: UnsafeMutableRawPointer, from source: SourceRows) {
        let cells = vertical.cells(of: index)
        loadedRows = max(loadedRows, cells.lowerBound)
        while loadedRows < cells.upperBound { load(source) }
        for (tap, row) in cells.enumerated() { rowPointers[tap] = UnsafePointer(ring.row(row % slotCount)) }
        let (pixels, width) = (resultRow.row(0), horizontal.starts.count)
        vertical.deepWeights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            webimage_sum_float_rows(rowPointers, base + index * vertical.stride, cells.count, pixels, width * 4)
        }
        if !hasAlpha { for x in 0..<width { pixels[x * 4 + 3] = format.maximum } }
        if let light { webimage_map_floats(pixels, light.numbers, width) }
        webimage_store_floats(pixels, format.channelType, hasAlpha, result, width)
    }

    private func load(_ source: SourceRows) {
        let (row, width) = (sourceRow.row(0), horizontal.cells.count)
        let pixels = source.row(vertical.cells.lowerBound + loadedRows)
        webimage_load_floats(
            pixels + horizontal.cells.lowerBound * format.bytesPerPixel, format.channelType, row, width)
        if let light { webimage_map_floats(row, light.light, width) }
        webimage_sum_columns(
            row, horizontal.starts, horizontal.tapCounts, horizontal.deepWeights, horizontal.stride,
            ring.row(loadedRows % slotCount), horizontal.starts.count)
        loadedRows += 1
    }
}
