/// How pixels become bytes.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// Quality of lossy formats, 0 (smallest) to 1 (best, the default). Lossless formats ignore it.
    public var compressionQuality: Double = 1
    /// Whether a format that can be either way (WebP) keeps every pixel as it is; ``compressionQuality`` is then
    /// ignored. False by default, also at quality 1.
    public var isLossless = false
    /// The colour put under transparent pixels when the format has no alpha (JPEG). White by default.
    public var backgroundColor = BackgroundColor.white

    /// How much GIF makes up, around each pixel, for what its few colours lack: 0, not at all, which keeps flat areas clean
    /// and files small, to 1, all of it (Floyd–Steinberg), which shows gradients without steps. 0.5 by default.
    public var ditheringStrength: Double = 0.5

    /// How many colours GIF gives to a frame at most, what is clear being one of them: 2 to 256, the default. Fewer make
    /// files smaller.
    public var maxColorCount = 256

    /// Whether GIF has one table of colours for all frames of an animation. Otherwise, which is the default, frames that
    /// these would not do justice have one of their own: nearer to the pixels, and where little moves twice as large.
    public var sharesColors = false

    /// How TIFF is compressed, always without loss; ``TIFFCompression/deflate`` by default.
    public var tiffCompression = TIFFCompression.deflate

    /// The box that the picture is made to fit before it is encoded, in pixels; nil, the default, or an empty size leaves
    /// it as it is. Never enlarges.
    public var maxPixelSize: PixelSize?

    /// Bytes that the file should have at most; 0, the default, sets no limit. A lossy format is written in the best
    /// quality that fits, ``compressionQuality`` being ignored, or in the worst when none does; a lossless one is as
    /// large as it is.
    public var maxFileSize = 0

    /// Whether only the first frame of an animation is written. False by default.
    public var encodesFirstFrameOnly = false

    /// Whether a small copy of the picture, at most 160 × 160 pixels, is put into the file's metadata, where file
    /// browsers find it. JPEG only; other formats ignore it. False by default.
    public var embedsThumbnail = false

    /// Best quality on white.
    public init() {}

    /// Compressions of TIFF that every reader of it knows.
    public enum TIFFCompression: Sendable, Hashable {
        /// As large as the pixels are.
        case none
        /// LZW with differences to the left: for readers of before 2002.
        case lzw
        /// Deflate with differences to the left: the smallest.
        case deflate
    }

    /// An opaque sRGB colour.
    public struct BackgroundColor: Sendable, Hashable {
        /// The channels, 0 to 255.
        public var red, green, blue: UInt8

        /// A colour of its channels, 0 to 255 each.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// White.
        public static let white = BackgroundColor(red: 255, green: 255, blue: 255)
    }
}
