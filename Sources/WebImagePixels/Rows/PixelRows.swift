import WebImageCore

/// The pipeline for a decoder's rows, top row first.
///
/// Each row is resampled if necessary, and then finished (colours, alpha) in its final place. Belongs to one decode on
/// one thread.
package final class PixelRows {
    /// The number of rows that the decoder has yet to deliver.
    package private(set) var remaining: Int

    private let source: PixelSource
    private let output: OrientedRows
    private let resampler: StreamResampler?
    private let finisher: RowFinisher
    /// Finishes rows before an exact filter, as if it had the whole picture.
    private let earlyFinisher: RowFinisher?
    /// The columns and rows that are kept; nil for all.
    private let part: StreamResampler.Part?
    private let plan: PixelPlan
    private let options: ImageDecodeOptions
    /// The decoder's buffer for a row whose depth differs from that of the next step.
    private let deliveredRow: PixelBuffer?
    private let workingRow: PixelBuffer?
    private var isOpaque = true

    init(
        source: PixelSource, geometry: ThumbnailGeometry, output: OrientedRows, plan: PixelPlan,
        options: ImageDecodeOptions
    ) throws(WebImageError) {
        self.source = source
        self.output = output
        self.plan = plan
        self.options = options
        remaining = source.size.height
        part = geometry.storedPart
        let isResampled = part == nil && source.size != output.storedSize
        let depth = plan.workingDepth
        let exactFilter = isResampled ? geometry.exactFilter : nil
        resampler =
            isResampled
            ? try StreamResampler(source, depth: depth, to: output.storedSize, exactFilter: exactFilter) : nil
        earlyFinisher = exactFilter.map { _ in
            RowFinisher(width: source.size.width, source: source, isPremultiplied: false, plan: plan)
        }
        finisher = RowFinisher(
            width: output.storedSize.width, source: source, isPremultiplied: isResampled && source.hasAlpha,
            plan: exactFilter == nil ? plan : plan.withoutConversion)
        let isDelivered = plan.sourceDepth == depth && part == nil
        deliveredRow = isDelivered ? nil : try Self.row(source.size, plan.sourceDepth)
        workingRow = plan.outputFormat.depth == depth ? nil : try Self.row(output.storedSize, depth)
    }

    private static func row(_ size: PixelSize, _ depth: PixelDepth) throws(WebImageError) -> PixelBuffer {
        guard let row = PixelBuffer(byteCount: size.width * depth.bytesPerPixel) else { throw .outOfMemory(for: size) }
        return row
    }

    /// Lets `fill` write the next row: `source.size.width` pixels at the given address.
    ///
    /// - Throws: The errors of `fill`, and ``WebImageError/Code/cancelled``.
    package func withNext(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        _ = try tryNext { row throws(WebImageError) in
            try fill(row)
            return true
        }
    }

    /// The same for a decoder that may have to wait for bytes: `fill` returns whether it wrote the row.
    ///
    /// - Returns: The result of `fill`; after false the next call is for the same row.
    package func tryNext(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bool {
        try options.checkCancellation()
        precondition(remaining > 0, "the decoder delivers more rows than it announced")
        guard try fill(deliveredRow?.base ?? receivingRow) else { return false }
        let row = source.size.height - remaining
        remaining -= 1
        guard part?.rows.contains(row) ?? true else { return true }
        if let deliveredRow { receive(deliveredRow.base) }
        if let resampler { resample(through: resampler) } else { finishOutputRow() }
        return true
    }

    /// Takes over the needed columns of a row that is in a buffer of its own.
    private func receive(_ delivered: UnsafeMutablePointer<UInt8>) {
        let columns = part?.columns ?? 0..<source.size.width
        let first = delivered + columns.lowerBound * plan.sourceDepth.bytesPerPixel
        if plan.sourceDepth == plan.workingDepth {
            receivingRow.update(from: first, count: columns.count * plan.sourceDepth.bytesPerPixel)
        } else {
            plan.workingDepth.convert(first, to: receivingRow, count: columns.count)
        }
    }

    /// Completes the picture and returns whether all of its pixels are opaque.
    package func finish() throws(WebImageError) -> Bool {
        guard remaining == 0 else {
            throw WebImageError(
                .truncatedImageData, stage: .decode, kind: .permanent,
                reason: "the last \(remaining) of \(source.size.height) rows are missing; fetch the file again")
        }
        return isOpaque
    }

    private var receivingRow: UnsafeMutablePointer<UInt8> { resampler?.inputRow ?? resultRow }

    private var resultRow: UnsafeMutablePointer<UInt8> { workingRow?.base ?? output.nextRow }

    /// Colours must count in proportion to their alpha, so translucent pixels are premultiplied before they are
    /// averaged.
    private func resample(through resampler: StreamResampler) {
        if let earlyFinisher {
            _ = earlyFinisher.finish(resampler.inputRow)
        } else if source.hasAlpha {
            plan.workingDepth.premultiply(resampler.inputRow, count: source.size.width)
        }
        resampler.inputRowIsFilled()
        while resampler.writeOutputRow(to: resultRow) { finishOutputRow() }
    }

    private func finishOutputRow() {
        isOpaque = finisher.finish(resultRow) && isOpaque
        if let workingRow {
            plan.outputFormat.depth.convert(workingRow.base, to: output.nextRow, count: output.storedSize.width)
        }
        output.nextRowIsFinished()
    }
}

extension PixelSource {
    /// Whether the fourth channel is alpha, and not at its maximum everywhere.
    var hasAlpha: Bool { layout != .invertedCMYK && !isOpaque }
}
