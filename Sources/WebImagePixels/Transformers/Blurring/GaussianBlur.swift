import CPixels
import WebImageCore

/// Blurs a premultiplied or opaque bitmap, strip by strip.
struct GaussianBlur: Sendable {
    private let plan: GaussianPlan
    private let size: PixelSize
    private let format: PixelFormat
    private let hasAlpha: Bool
    private let columns: BlurAxis
    /// Nil for a narrow blur, which is computed as it is.
    private let rows: BlurAxis?
    private let cancellation: CancellationFlag?

    init(_ bitmap: Bitmap, deviation: Double, cancellation: CancellationFlag? = nil) {
        self.cancellation = cancellation
        plan = GaussianPlan(deviation: deviation)
        size = bitmap.size
        format = bitmap.format
        hasAlpha = !bitmap.isOpaque
        columns = plan.axis(size.width)
        rows = plan.factor == 1 ? nil : plan.axis(size.height)
    }

    /// A strip needs reduced rows beyond its ends, so it has many times as many; nil where any height suits.
    var stripHeight: Int? { rows.map { _ in 8 * plan.reach * plan.factor } }

    /// The memory that the work on a strip takes, beside the result.
    func workingByteCount(rows range: Range<Int>) -> Int {
        let scratch = 2 * max(size.width, columns.reduction.starts.count)
        guard let rows else { return (scratch + columns.count) * FloatRows.bytesPerPixel }
        let count = cells(of: range, rows).count
        let expanded = columns.count + (columns.count + 1) * plan.factor
        return (scratch + (2 * count + 2 * plan.reach) * columns.count + expanded) * FloatRows.bytesPerPixel
    }

    /// Fills a strip of the result, and returns whether all of its pixels are opaque.
    func fill(_ strip: RowStrip, from source: SourceRows) throws(WebImageError) -> Bool {
        try withRows(of: strip.rows, from: source) { y, floats in
            webimage_store_floats(floats, format.channelType, hasAlpha, strip.row(y), size.width)
        }
        return !hasAlpha
    }

    /// Calls `body` with each blurred row, as floats in the units of the channel.
    func withRows(
        of range: Range<Int>, from source: SourceRows, _ body: (Int, UnsafePointer<Float>) -> Void
    ) throws(WebImageError) {
        guard let rows else { return try withNarrowRows(of: range, from: source, body) }
        let cells = cells(of: range, rows)
        let blurred = try blurredRows(cells, rows, from: source)
        let (between, expanded) = (
            try FloatRows(width: columns.count, count: 1),
            try FloatRows(width: (columns.count + 1) * plan.factor, count: 1)
        )
        for y in range {
            let cell = rows.group(of: y, factor: plan.factor) - cells.lowerBound
            let phase = (y + rows.lead) % plan.factor
            sum(blurred, from: cell, weights: plan.expansion[phase * 4..<phase * 4 + 4], to: between.row(0))
            webimage_expand_row(between.row(0), plan.expansion, plan.factor, expanded.row(0), columns.count - 3)
            body(y, expanded.row(0) + columns.lead * 4)
        }
    }

    /// Sums down the columns first, straight from the source, so that no rows need be kept.
    private func withNarrowRows(
        of range: Range<Int>, from source: SourceRows, _ body: (Int, UnsafePointer<Float>) -> Void
    ) throws(WebImageError) {
        let scratch = try BlurScratch(width: size.width, columns: columns)
        let blurred = try FloatRows(width: columns.count, count: 1)
        for y in range {
            try cancellation?.check()
            let pointers = (-plan.reach...plan.reach).map {
                Optional(source.row(min(max(0, y + $0), size.height - 1)))
            }
            webimage_sum_rows(
                pointers, format.channelType, plan.kernel, pointers.count, scratch.wide, size.width * 4)
            sumAcross(scratch, to: blurred.row(0))
            body(y, blurred.row(0))
        }
    }

    private func cells(of range: Range<Int>, _ rows: BlurAxis) -> Range<Int> {
        rows.group(of: range.lowerBound, factor: plan.factor)..<rows.group(
            of: range.upperBound - 1, factor: plan.factor) + 4
    }

    /// Cells of the reduced picture, blurred both ways.
    private func blurredRows(
        _ cells: Range<Int>, _ rows: BlurAxis, from source: SourceRows
    ) throws(WebImageError) -> FloatRows {
        let reduced = try FloatRows(width: columns.count, count: cells.count + 2 * plan.reach)
        let scratch = try BlurScratch(width: size.width, columns: columns)
        for index in 0..<cells.count + 2 * plan.reach {
            try cancellation?.check()
            reduce(rows.reduction, cells.lowerBound + index, source, scratch, to: reduced.row(index))
        }
        let blurred = try FloatRows(width: columns.count, count: cells.count)
        for index in 0..<cells.count { sum(reduced, from: index, weights: plan.kernel[...], to: blurred.row(index)) }
        return blurred
    }

    /// One row of cells, blurred horizontally.
    private func reduce(
        _ list: TapList, _ index: Int, _ source: SourceRows, _ scratch: BlurScratch,
        to result: UnsafeMutablePointer<Float>
    ) {
        let pixels = list.pixels(of: index)
        let pointers = pixels.map { Optional(source.row($0)) }
        list.weights.withUnsafeBufferPointer { weights in
            guard let base = weights.baseAddress else { return }
            webimage_sum_rows(
                pointers, format.channelType, base + index * list.stride, pixels.count, scratch.wide, size.width * 4)
        }
        sumAcross(scratch, to: result)
    }

    /// Blurs a row of sums horizontally.
    private func sumAcross(_ scratch: BlurScratch, to result: UnsafeMutablePointer<Float>) {
        let across = columns.reduction
        webimage_sum_columns(
            scratch.wide, across.starts, across.counts, across.weights, across.stride, scratch.narrow,
            across.starts.count)
        webimage_sum_neighbours(scratch.narrow, plan.kernel, plan.kernel.count, result, columns.count)
    }

    private func sum(
        _ rows: FloatRows, from first: Int, weights: ArraySlice<Float>, to result: UnsafeMutablePointer<Float>
    ) {
        let pointers = (0..<weights.count).map { Optional(UnsafePointer(rows.row(first + $0))) }
        weights.withUnsafeBufferPointer {
            webimage_sum_float_rows(pointers, $0.baseAddress, weights.count, result, columns.count * 4)
        }
    }
}

/// Memory for one row on its way.
private struct BlurScratch {
    private let rows: FloatRows
    let wide: UnsafeMutablePointer<Float>
    let narrow: UnsafeMutablePointer<Float>

    init(width: Int, columns: BlurAxis) throws(WebImageError) {
        rows = try FloatRows(width: max(width, columns.reduction.starts.count), count: 2)
        wide = rows.row(0)
        narrow = rows.row(1)
    }
}
