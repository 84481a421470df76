import WebImageCore

/// Turns pictures about their centre; see ``Image/rotated(by:fitsSize:)``.
package struct ImageRotationTransformer: LibraryTransformer, Hashable {
    /// The angle in radians, counter-clockwise.
    package let angle: Double
    /// Whether the result grows until it has all of the picture.
    package let fitsSize: Bool
    /// `SDImageRotationTransformer(0.785398,0)`, as in SDWebImage.
    package let transformerKey: String

    /// A transformer that turns pictures by `angle` radians, counter-clockwise.
    package init(angle: Double, fitsSize: Bool) {
        self.angle = angle
        self.fitsSize = fitsSize
        transformerKey = "SDImageRotationTransformer(\(angle.fixedPointText),\(fitsSize ? 1 : 0))"
    }

    /// The turned picture; nil when the angle is infinite or NaN, or the result is too large.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.rotated(by: angle, fitsSize: fitsSize)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Turns pictures about their centre by `angle` radians, counter-clockwise. By default the result grows until it has
    /// all of the picture; otherwise corners are cut.
    ///
    /// ```swift
    /// context.transformer = .rotate(by: .pi / 4)
    /// ```
    public static func rotate(by angle: Double, fitsSize: Bool = true) -> BuiltInTransformer {
        BuiltInTransformer(ImageRotationTransformer(angle: angle, fitsSize: fitsSize))
    }
}
