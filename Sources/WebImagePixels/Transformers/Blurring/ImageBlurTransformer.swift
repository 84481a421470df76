import WebImageCore

/// Blurs pictures; see ``Image/blurred(radius:cancellation:)``.
package struct ImageBlurTransformer: LibraryTransformer, Hashable {
    /// The standard deviation in points.
    package let radius: Double
    /// `SDImageBlurTransformer(5.000000)`, as in SDWebImage.
    package let transformerKey: String

    /// A transformer that blurs with a standard deviation of `radius` points.
    package init(radius: Double) {
        self.radius = radius
        transformerKey = "SDImageBlurTransformer(\(radius.fixedPointText))"
    }

    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        transform(image, for: key, cancellation: nil)
    }

    /// The blurred picture; nil when the radius is NaN.
    package func transform(_ image: Image, for key: CacheKey, cancellation: CancellationFlag?) -> Image? {
        image.blurred(radius: radius, cancellation: cancellation)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Blurs pictures by a Gaussian with a standard deviation of `radius` points.
    ///
    /// ```swift
    /// context.transformer = .blur(radius: 8)
    /// ```
    public static func blur(radius: Double) -> BuiltInTransformer {
        BuiltInTransformer(ImageBlurTransformer(radius: radius))
    }
}
