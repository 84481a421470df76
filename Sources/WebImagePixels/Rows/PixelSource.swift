import WebImageCore

/// The format of a decoder's pixels: rows from the top down as stored in the file, 4 or 8 bytes per pixel.
package struct PixelSource {
    /// The layout of a pixel.
    package enum Layout {
        /// Red, green, blue, alpha, straight. Gray pictures repeat their channel.
        case rgba
        /// The same with 16 bits each in native byte order, up to 65,535.
        case rgba16
        /// Cyan, magenta, yellow, black; 255 is no ink, as Adobe writes it.
        case invertedCMYK
    }

    /// A size in pixels with fractions.
    package struct Extent {
        package var width: Double
        package var height: Double

        package init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    /// Columns and rows as delivered: after the decoder's own scaling, before the orientation.
    package var size: PixelSize
    /// The part of ``size`` that the picture covers, for a decoder whose scaling leaves the last column and row partly
    /// empty; nil for all.
    package var covered: Extent?
    package var layout = Layout.rgba
    /// True when every alpha is known to be at its maximum, which saves work. CMYK counts as opaque.
    package var isOpaque: Bool
    /// The file's colours; nil means sRGB.
    package var colors: SourceColors?

    /// - Parameter profile: The file's ICC profile, which has precedence over the coded `colors`.
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
