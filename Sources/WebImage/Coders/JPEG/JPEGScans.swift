/// The scans of a file that is still coming. Belongs to one thread at a time.
final class JPEGScans {
    /// A look costs a pass over the picture: about a tenth of the whole decode. Encoders write ten scans or so; a file
    /// of hundreds is shown again when it is whole.
    private static let maximumLookCount = 16

    private var progress = JPEGDecompressor.ScanProgress()
    private var shownScan = 0
    private var lookCount = 0

    /// Whether the last scan is there.
    var isAtEnd: Bool { progress.isAtEnd }

    /// Takes in what has come.
    func read(_ decompressor: JPEGDecompressor, _ options: ImageDecodeOptions) throws(WebImageError) {
        progress = try decompressor.readScans(options)
    }

    /// The picture after the last complete scan; nil when that has been looked at.
    func look(by plan: JPEGDecodePlan, _ decompressor: JPEGDecompressor) throws(WebImageError) -> Bitmap? {
        guard progress.completeCount > shownScan, lookCount < Self.maximumLookCount || isAtEnd else { return nil }
        shownScan = progress.completeCount
        lookCount += 1
        // Blocks are seen at full size only; in a reduced picture smoothing costs 2 dB and four times the pass.
        return try plan.readPass(
            of: decompressor, afterScan: shownScan, smoothsBlocks: isAtEnd || plan.isFullScale)
    }
}
