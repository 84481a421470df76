/// The scans of a file that is still coming. Belongs to one thread at a time.
final class JPEGScans {
    /// A look costs a pass over the picture: about a tenth of the whole decode. Encoders write ten scans or so; a file
    /// of hundreds is shown again when it is whole.
    private static let maximumLookCount = 16

    private let plan: JPEGDecodePlan
    private let showsParts: Bool
    private var progress = JPEGDecompressor.ScanProgress()
    private var shownScan = 0
    private var lookCount = 0

    init(_ plan: JPEGDecodePlan, showsParts: Bool) {
        self.plan = plan
        self.showsParts = showsParts
    }

    /// Whether the last scan is there, or the last that is wanted.
    var isFinished: Bool { progress.isAtEnd || progress.isSufficient }

    /// Takes in what has come.
    func read(_ decompressor: JPEGDecompressor, _ options: ImageDecodeOptions) throws(WebImageError) {
        // What was read for a look counts no scans that were read before it.
        guard !isFinished else { return }
        progress = try decompressor.readScans(options, until: plan.sufficientPrecision)
    }

    /// The picture after the last complete scan; nil when that has been looked at.
    func look(by decompressor: JPEGDecompressor) throws(WebImageError) -> Image? {
        guard progress.completeCount > shownScan, isFinished || showsParts && lookCount < Self.maximumLookCount else {
            return nil
        }
        shownScan = progress.completeCount
        lookCount += 1
        // Blocks are seen at full size only; in a reduced picture smoothing costs 2 dB and four times the pass.
        let smoothsBlocks = plan.sufficientPrecision == nil && (progress.isAtEnd || plan.isFullScale)
        let bitmap = try plan.readPass(of: decompressor, afterScan: shownScan, smoothsBlocks: smoothsBlocks)
        return plan.makeImage(bitmap, isIncremental: !progress.isSufficient)
    }
}
