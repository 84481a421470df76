/// The pixels that a decoder is about to deliver: rows from the top down as the file stores them, 4 or 8 bytes
/// each.
package struct PixelSource {
    /// What a pixel is.
    package enum Layout {
        /// Red, green, blue, alpha, colour not multiplied by alpha. Gray pictures repeat their one channel.
        case rgba
        /// The same with 16 bits each in the machine's byte order, 65,535 the largest.
        case rgba16
        /// Cyan, magenta, yellow, black; 255 is no ink, as Adobe writes it.
        case invertedCMYK
    }

    /// A size in pixels and parts of pixels.
    package struct Extent {
        var width: Double
        var height: Double
    }

    /// Columns and rows as delivered: after a decoder's own scaling, before the orientation.
    package var size: PixelSize
    /// How much of ``size`` the picture covers, for a decoder whose scaling leaves the last column and row partly
    /// outside of it; nil for all.
    package var covered: Extent?
    package var layout = Layout.rgba
    /// True when every alpha is known to be the largest value; saves work. Always true in effect for CMYK.
    package var isOpaque: Bool
    /// The file's colours; nil means sRGB.
    package var colors: SourceColors?

    /// - Parameter profile: The file's ICC profile, which wins over `colors`, given by numbers.
    package init(
        size: PixelSize, covered: Extent? = nil, layout: Layout = .rgba, isOpaque: Bool, profile: ColorProfile? = nil,
        colors: CodedColors? = nil
    ) {
        self.size = size
        self.covered = covered
        self.layout = layout
        self.isOpaque = isOpaque
        self.colors = profile.map { .profile($0) } ?? colors.map { .coded($0) }
    }
}
