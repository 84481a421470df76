import WebImageCore

/// Rounds the corners of pictures and draws a border; see
/// ``Image/roundedCorners(radius:corners:borderWidth:borderColor:)``.
///
/// Lengths are in points of the picture: a picture that is scaled for display has its corners scaled with it. For equal
/// corners everywhere, resize it first in an ``ImagePipelineTransformer``.
package struct ImageRoundCornerTransformer: LibraryTransformer, Hashable {
    /// The radius in points.
    package let radius: Double
    /// The corners that are rounded.
    package let corners: RectCorner
    /// The border's width in points; 0 for none.
    package let borderWidth: Double
    /// The border's colour; nil for none.
    package let borderColor: RGBAColor?
    /// `SDImageRoundCornerTransformer(50.000000,18446744073709551615,1.000000,#ff000000)`, as in SDWebImage.
    package let transformerKey: String

    /// By default, a transformer that rounds all corners and draws no border.
    package init(
        radius: Double, corners: RectCorner = .allCorners, borderWidth: Double = 0, borderColor: RGBAColor? = nil
    ) {
        self.radius = radius
        self.corners = corners
        self.borderWidth = borderWidth
        self.borderColor = borderColor
        let lengths = (radius.fixedPointText, borderWidth.fixedPointText)
        // The output of SDWebImage's format string without a colour.
        let color = borderColor?.hex ?? "(null)"
        transformerKey = "SDImageRoundCornerTransformer(\(lengths.0),\(corners.rawValue),\(lengths.1),\(color))"
    }

    /// The picture with its corners rounded; nil when a length is negative, infinite or NaN.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.roundedCorners(radius: radius, corners: corners, borderWidth: borderWidth, borderColor: borderColor)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Rounds the corners of pictures, by default all of them, and draws a border if there is a colour for it.
    ///
    /// ```swift
    /// context.transformer = .roundedCorners(radius: 8)
    /// ```
    public static func roundedCorners(
        radius: Double, corners: RectCorner = .allCorners, borderWidth: Double = 0, borderColor: RGBAColor? = nil
    ) -> BuiltInTransformer {
        BuiltInTransformer(
            ImageRoundCornerTransformer(
                radius: radius, corners: corners, borderWidth: borderWidth, borderColor: borderColor))
    }
}
