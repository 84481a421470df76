/// The scans of a file that is still coming. Belongs to one thread at a time.
final class JPEGScans {
    /// Encoders write ten scans or so; a file of hundreds is shown again when it is whole.
    private static let maximumLookCount = 16
    /// A look at fewer pixels takes a millisecond or two: it is not worth counting.
    private static let countedPixelCount = 1 << 20

    private var progress = JPEGDecompressor.ScanProgress()
    private var shownScan = 0
    private var lookCount = 0
    private var budget = LookBudget()

    /// Whether the last scan is there.
    var isAtEnd: Bool { progress.isAtEnd }

    /// Takes in what has come.
    func read(_ decompressor: JPEGDecompressor, _ options: ImageDecodeOptions) throws(WebImageError) {
        progress = try budget.read { () throws(WebImageError) in try decompressor.readScans(options) }
    }

    /// The picture after the last complete scan; nil when that has been looked at, or would take too long.
    func look(by plan: JPEGDecodePlan, _ decompressor: JPEGDecompressor) throws(WebImageError) -> Bitmap? {
        guard progress.completeCount > shownScan, isAtEnd || mayLook(at: plan) else { return nil }
        shownScan = progress.completeCount
        lookCount += 1
        // Blocks are seen at full size only; in a reduced picture smoothing costs 2 dB and four times the pass.
        let smoothsBlocks = isAtEnd || plan.isFullScale
        return try budget.look { () throws(WebImageError) in
            try plan.readPass(of: decompressor, afterScan: shownScan, smoothsBlocks: smoothsBlocks)
        }
    }

    private func mayLook(at plan: JPEGDecodePlan) -> Bool {
        guard lookCount < Self.maximumLookCount else { return false }
        return plan.pixelCount < Self.countedPixelCount || budget.allowsLook
    }
}
