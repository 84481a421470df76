/// The pixels that a decoder is about to deliver: rows from the top down as the file stores them, 4 bytes each.
struct PixelSource {
    /// What the four bytes are.
    enum Layout {
        /// Red, green, blue, alpha, colour not multiplied by alpha. Gray pictures repeat their one channel.
        case rgba
        /// Cyan, magenta, yellow, black; 255 is no ink, as Adobe writes it.
        case invertedCMYK
    }

    /// A size in pixels and parts of pixels.
    struct Extent {
        var width: Double
        var height: Double
    }

    /// Columns and rows as delivered: after a decoder's own scaling, before the orientation.
    var size: PixelSize
    /// How much of ``size`` the picture covers, for a decoder whose scaling leaves the last column and row partly
    /// outside of it; nil for all.
    var covered: Extent?
    var layout = Layout.rgba
    /// True when every alpha is known to be 255; saves work. Always true in effect for CMYK.
    var isOpaque: Bool
    /// The file's colours; nil means sRGB.
    var profile: ColorProfile?
}
