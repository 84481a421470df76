/// The scans of a file that is still coming. Belongs to one thread at a time.
final class JPEGScans {
    /// Encoders write ten scans or so; a file of hundreds is shown again when it is whole.
    private static let maximumLookCount = 16
    /// A look at fewer pixels takes a millisecond or two: it is not worth counting.
    private static let countedPixelCount = 1 << 20

    private let plan: JPEGDecodePlan
    private let showsParts: Bool
    private var progress = JPEGDecompressor.ScanProgress()
    private var shownScan = 0
    private var lookCount = 0
    private var budget = LookBudget()

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
        progress = try budget.read { () throws(WebImageError) in
            try decompressor.readScans(options, until: plan.sufficientPrecision)
        }
    }

    /// The picture after the last complete scan; nil when that has been looked at, or would take too long.
    func look(by decompressor: JPEGDecompressor) throws(WebImageError) -> Image? {
        guard progress.completeCount > shownScan, isFinished || mayLook else { return nil }
        shownScan = progress.completeCount
        lookCount += 1
        // Blocks are seen at full size only; in a reduced picture smoothing costs 2 dB and four times the pass.
        let smoothsBlocks = plan.sufficientPrecision == nil && (progress.isAtEnd || plan.isFullScale)
        let bitmap = try budget.look { () throws(WebImageError) in
            try plan.readPass(of: decompressor, afterScan: shownScan, smoothsBlocks: smoothsBlocks)
        }
        return plan.makeImage(bitmap, isIncremental: !progress.isSufficient)
    }

    private var mayLook: Bool {
        guard showsParts, lookCount < Self.maximumLookCount else { return false }
        return plan.pixelCount < Self.countedPixelCount || budget.allowsLook
    }
}
