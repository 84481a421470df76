import FoundationEssentials
import WebImageCore

/// All that decides the bytes of a result.
struct ResultRecipe: Sendable {
    let source: URL
    let options: ProcessingOptions
    let wish: FormatWish
    /// The quality of lossy formats, by format; ``OutputQuality``.
    let quality: OutputQuality
    /// Of the source, with what makes it another one.
    let sourceKey: CacheKey
    /// Of the result; derived from ``sourceKey``.
    let key: CacheKey

    /// - Parameters:
    ///   - sourceKey: By ``SourceRules/key(of:)``.
    ///   - watermark: A name for the service's watermark.
    init(
        source: URL, sourceKey: CacheKey, options: ProcessingOptions, wish: FormatWish, quality: OutputQuality,
        watermark: String
    ) {
        self.source = source
        self.options = options
        self.wish = wish
        self.quality = quality
        self.sourceKey = sourceKey
        // A text of the client has its length before it, so that it is not taken for the parts behind it.
        let buster = options.cacheBuster
        let parts = [
            options.pixelKey, wish.key, quality.key, buster.isEmpty ? "" : "cb\(buster.utf8.count):\(buster)",
            options.watermark == nil ? "" : "wm\(watermark)", options.appliesOrientation == false ? "stored" : "",
            options.isRaw ? "raw" : "",
        ]
        key = sourceKey.transformed(parts.filter { !$0.isEmpty }.joined(separator: ";"))
    }
}

/// The format that a result is to have.
struct FormatWish: Sendable, Equatable {
    /// As the address says; nil where it says nothing.
    var named: ImageFormat?
    /// The formats that the client accepts and the service offers, the best first.
    var accepted: [ImageFormat] = []
    /// Files of these stay as they are.
    var unprocessed: Set<ImageFormat> = []

    var key: String {
        let kept = unprocessed.map { "\($0.rawValue)" }.sorted().joined(separator: "+")
        let wish = named.map { "to\($0.rawValue)" } ?? "of" + accepted.map { "\($0.rawValue)" }.joined(separator: "+")
        return wish + (kept.isEmpty ? "" : "keep" + kept)
    }

    /// The format for a source; its own where nothing else is wished, and PNG or JPEG for those that browsers do not show.
    func format(for source: ImageProperties, canEncode: (ImageFormat) -> Bool) -> ImageFormat {
        if let named { return named }
        let moves = source.frameCount > 1 && ServedFormat.moving.contains(source.format)
        // Other encoders take seconds for an animation.
        let offered = accepted.filter { canEncode($0) && (!moves || $0 == .webP) }
        if let best = offered.first { return best }
        if ServedFormat.shown.contains(source.format), canEncode(source.format) { return source.format }
        return source.hasAlpha || ServedFormat.drawn.contains(source.format) ? .png : .jpeg
    }
}

/// The quality of lossy formats.
struct OutputQuality: Sendable, Equatable {
    /// 1 to 100.
    var usual = 80
    var byFormat: [ImageFormat: Int] = [:]
    /// The largest file.
    var maximumByteCount: Int?

    var key: String {
        let formats = byFormat.map { "\($0.key.rawValue):\($0.value)" }.sorted().joined(separator: "+")
        return "q\(usual)\(formats)" + (maximumByteCount.map { "mb\($0)" } ?? "")
    }

    func quality(of format: ImageFormat) -> Double { Double(byFormat[format] ?? usual) / 100 }
}
