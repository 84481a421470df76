/// The conveyor that a decoder puts its rows on, top row first.
///
/// Each row goes through the resampler where there is one, then is finished in place (colours, alpha) where it will
/// stay. Belongs to one decode on one thread.
final class PixelRows {
    /// Rows that the decoder has still to deliver.
    private(set) var remaining: Int

    private let source: PixelSource
    private let output: OrientedRows
    private let resampler: StreamResampler?
    private let finisher: RowFinisher
    private let options: ImageDecodeOptions
    private var isOpaque = true

    init(source: PixelSource, output: OrientedRows, options: ImageDecodeOptions) throws(WebImageError) {
        self.source = source
        self.output = output
        self.options = options
        remaining = source.size.height
        let isResampled = source.size != output.storedSize
        resampler = isResampled ? try StreamResampler(source, to: output.storedSize) : nil
        finisher = RowFinisher(
            width: output.storedSize.width, source: source, isPremultiplied: isResampled && source.hasAlpha,
            options: options)
    }

    /// Lets `fill` write the next row: `source.size.width` pixels of 4 bytes at the address it gets.
    ///
    /// - Throws: What `fill` throws, and ``WebImageError/Code/cancelled``.
    func withNext(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Void
    ) throws(WebImageError) {
        _ = try tryNext { row throws(WebImageError) in
            try fill(row)
            return true
        }
    }

    /// The same for a decoder that may have to wait for bytes: `fill` says whether the row is written.
    ///
    /// - Returns: What `fill` did; after false the next call is for the same row.
    func tryNext(
        _ fill: (UnsafeMutablePointer<UInt8>) throws(WebImageError) -> Bool
    ) throws(WebImageError) -> Bool {
        try options.checkCancellation()
        precondition(remaining > 0, "the decoder delivers more rows than it announced")
        guard try fill(resampler?.inputRow ?? output.nextRow) else { return false }
        if let resampler { resample(through: resampler) } else { finishOutputRow() }
        remaining -= 1
        return true
    }

    /// Completes the picture; whether all of its pixels are opaque.
    func finish() throws(WebImageError) -> Bool {
        guard remaining == 0 else {
            throw WebImageError(
                .truncatedImageData, stage: .decode, kind: .permanent,
                reason: "the last \(remaining) of \(source.size.height) rows are missing; fetch the file again")
        }
        return isOpaque
    }

    private func resample(through resampler: StreamResampler) {
        if source.hasAlpha { RowFinisher.premultiply(resampler.inputRow, width: source.size.width) }
        resampler.inputRowIsFilled()
        while resampler.writeOutputRow(to: output.nextRow) {
            finishOutputRow()
        }
    }

    private func finishOutputRow() {
        isOpaque = finisher.finish(output.nextRow) && isOpaque
        output.nextRowIsFinished()
    }
}

extension PixelSource {
    /// Whether the fourth byte is an alpha that is not 255 everywhere.
    var hasAlpha: Bool { layout == .rgba && !isOpaque }
}
