import WebImageCore

/// Puts a margin around pictures; see ``Image/padded(by:color:)``.
package struct ImagePaddingTransformer: LibraryTransformer, Hashable {
    /// The widths of the margin in points.
    package let insets: EdgeInsets
    private let color: RGBAColor

    /// A transformer that puts a margin around pictures, in points.
    package init(by insets: EdgeInsets, color: RGBAColor) {
        self.insets = insets
        self.color = color
    }

    /// `ImagePaddingTransformer({8.000000,8.000000,8.000000,8.000000},#ffffffff)`: top, left, bottom, right.
    package var transformerKey: String {
        "ImagePaddingTransformer({\(insets.numbers.map(\.fixedPointText).joined(separator: ","))},\(color.hex))"
    }

    /// The picture with its margin; nil when a width is negative, infinite or NaN.
    package func transform(_ image: Image, for key: CacheKey) -> Image? { image.padded(by: insets, color: color) }
}

/// Removes an even margin from pictures; see ``Image/trimmed(tolerance:)``. Of an animation, all frames keep the part that
/// has what any of them shows.
package struct ImageTrimmingTransformer: LibraryTransformer, Hashable {
    /// The largest difference of a channel, 0 to 1.
    package let tolerance: Double

    /// A transformer that removes an even margin.
    package init(tolerance: Double) { self.tolerance = tolerance }

    /// `ImageTrimmingTransformer(0.050000)`.
    package var transformerKey: String { "ImageTrimmingTransformer(\(tolerance.fixedPointText))" }

    /// The picture without its margin; nil when the tolerance is negative or NaN.
    package func transform(_ image: Image, for key: CacheKey) -> Image? { image.trimmed(tolerance: tolerance) }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Puts a margin around pictures, in points; transparent by default.
    ///
    /// ```swift
    /// context.transformer = .pad(EdgeInsets(all: 8), color: .white)
    /// ```
    public static func pad(_ insets: EdgeInsets, color: RGBAColor = .clear) -> BuiltInTransformer {
        BuiltInTransformer(ImagePaddingTransformer(by: insets, color: color))
    }

    /// Removes an even margin from pictures, within a tolerance of 0 to 1. Of an animation, all frames keep the part that
    /// has what any of them shows.
    ///
    /// ```swift
    /// context.transformer = .trim(tolerance: 0.05)
    /// ```
    public static func trim(tolerance: Double = 0) -> BuiltInTransformer {
        BuiltInTransformer(ImageTrimmingTransformer(tolerance: tolerance))
    }
}
