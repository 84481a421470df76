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
    private let plan: PixelPlan
    private let options: ImageDecodeOptions
    /// The decoder's buffer for a row whose depth differs from that of the next step.
    private let deliveredRow: PixelBuffer?
    private let workingRow: PixelBuffer?
    private var isOpaque = true

    init(
        source: PixelSource, output: OrientedRows, plan: PixelPlan, options: ImageDecodeOptions
    ) throws(WebImageError) {
        self.source = source
        self.output = output
        self.plan = plan
        self.options = options
        remaining = source.size.height
        let isResampled = source.size != output.storedSize
        let depth = plan.workingDepth
        resampler = isResampled ? try StreamResampler(source, depth: depth, to: output.storedSize) : nil
        finisher = RowFinisher(
            width: output.storedSize.width, source: source, isPremultiplied: isResampled && source.hasAlpha,
            plan: plan)
        deliveredRow = plan.sourceDepth == depth ? nil : try Self.row(source.size, plan.sourceDepth)
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
        if let deliveredRow {
            plan.workingDepth.convert(deliveredRow.base, to: receivingRow, count: source.size.width)
        }
        if let resampler { resample(through: resampler) } else { finishOutputRow() }
        remaining -= 1
        return true
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
        if source.hasAlpha { plan.workingDepth.premultiply(resampler.inputRow, count: source.size.width) }
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
