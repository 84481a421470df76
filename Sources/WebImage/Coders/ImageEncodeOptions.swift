/// How pixels become bytes.
public struct ImageEncodeOptions: Sendable, Hashable {
    /// Quality of lossy formats, 0 (smallest) to 1 (best, the default). Lossless formats ignore it.
    public var compressionQuality: Double = 1
    /// Whether a format that can be either way (WebP) keeps every pixel as it is; ``compressionQuality`` is then
    /// ignored. False by default, also at quality 1.
    public var isLossless = false
    /// The colour put under transparent pixels when the format has no alpha (JPEG). White by default.
    public var backgroundColor = BackgroundColor.white

    /// The box that the picture is made to fit before it is encoded, in pixels; nil, the default, or an empty size leaves
    /// it as it is. Never enlarges.
    public var maxPixelSize: PixelSize?

    /// Best quality on white.
    public init() {}

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
