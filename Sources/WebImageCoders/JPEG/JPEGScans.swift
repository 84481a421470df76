import WebImageCore

/// The scans of an incomplete file. Belongs to one thread at a time.
final class JPEGScans {
    /// The maximum number of partial pictures: encoders write about ten scans; a file with hundreds shows again when it
    /// is complete.
    private static let maximumLookCount = 16
    /// The number of pixels below which partial pictures are not limited, because each takes a millisecond or two.
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

    /// Whether the last scan, or the last one needed, has arrived.
    var isFinished: Bool { progress.isAtEnd || progress.isSufficient }

    /// Reads the scans that have arrived.
    func read(_ decompressor: JPEGDecompressor, _ options: ImageDecodeOptions) throws(WebImageError) {
        // The time of this call counts for the budget only if it reads scans.
        guard !isFinished else { return }
        progress = try budget.read { () throws(WebImageError) in
            try decompressor.readScans(options, until: plan.sufficientPrecision)
        }
    }

    /// The picture after the last complete scan; nil when that was shown already, or would take too long.
    func look(by decompressor: JPEGDecompressor) throws(WebImageError) -> Image? {
        guard progress.completeCount > shownScan, isFinished || mayLook else { return nil }
        shownScan = progress.completeCount
        lookCount += 1
        // Blocks are visible at full size only; in a reduced picture smoothing costs 2 dB and four times the pass.
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
