/// Options for encoding. The cancellation is ignored in comparisons.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// The quality of lossy formats where none is chosen: 0.8.
    public static let defaultQuality = 0.8

    /// Quality of lossy formats, 0 (smallest) to 1 (best); nil, the default, for ``defaultQuality``. Lossless formats
    /// ignore it.
    ///
    /// An animation that is written to its own format and size keeps its file, unless a quality under 1 is chosen.
    public var compressionQuality: Double?
    /// Whether a format with both modes (WebP) is written without loss; ``compressionQuality`` is then ignored. False
    /// by default, also at quality 1.
    public var isLossless = false
    /// The colour behind transparent pixels when the format has no alpha (JPEG); its own alpha is ignored. White by
    /// default.
    public var backgroundColor = RGBAColor.white

    /// The share of GIF's colour error that is diffused to the pixels around: 0, none, keeps flat areas clean and files
    /// small; 1, all of it (Floyd–Steinberg), shows gradients without steps. 0.5 by default.
    public var ditheringStrength: Double = 0.5

    /// The maximum number of colours of a GIF frame, transparency included: 2 to 256, the default. Fewer make files
    /// smaller.
    public var maxColorCount = 256

    /// Whether all frames of a GIF animation share one colour table. By default, frames that the shared table fits
    /// badly have their own: closer to the pixels, and up to twice as large where little moves.
    public var sharesColors = false

    /// The compression of TIFF, always lossless; ``TIFFCompression/deflate`` by default.
    public var tiffCompression = TIFFCompression.deflate

    /// The box that the picture is reduced to fit before it is encoded, in pixels; nil, the default, or an empty size
    /// keeps the size. Never enlarges.
    public var maxPixelSize: PixelSize?

    /// The maximum size of the file in bytes; nil, the default, for no limit. A lossy format is written at the best
    /// quality that fits, regardless of ``compressionQuality``, or at the worst if none does; a lossless one ignores
    /// the limit.
    public var maxFileSize: Int?

    /// Whether only the first frame of an animation is written. False by default.
    public var encodesFirstFrameOnly = false

    /// Whether the file's metadata include a thumbnail of at most 160 × 160 pixels, for file browsers. JPEG only; other
    /// formats ignore it. False by default.
    public var embedsThumbnail = false

    /// Raised when the file is no longer needed; encoders check it between rows or frames. Ignored in comparisons.
    public var cancellation: CancellationFlag? {
        get { interruption.flag }
        set { interruption.flag = newValue }
    }

    private var interruption = Interruption()

    /// Always equal in comparisons, because it does not affect the result.
    private struct Interruption: Sendable, Hashable {
        var flag: CancellationFlag?

        static func == (lhs: Self, rhs: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// The default quality, on white.
    public init() {}

    /// The same with `quality` where none is chosen.
    package func withDefaultQuality(_ quality: Double) -> ImageEncodeOptions {
        var options = self
        options.compressionQuality = compressionQuality ?? quality
        return options
    }

    /// Compressions of TIFF that all readers support.
    public enum TIFFCompression: Sendable, Hashable {
        /// The bytes of the pixels as they are.
        case uncompressed
        /// LZW with horizontal differencing: for readers from before 2002.
        case lzw
        /// Deflate with horizontal differencing: the smallest.
        case deflate
    }
}
