import WebImageCore

/// A transformer from a closure.
package struct ClosureImageTransformer: LibraryTransformer {
    /// The identity.
    package let transformerKey: String
    private let closure: @Sendable (Image) -> Image?

    /// A transformer with an identity for keys.
    package init(identity: String, _ closure: @escaping @Sendable (Image) -> Image?) {
        transformerKey = "ClosureImageTransformer(\(identity))"
        self.closure = closure
    }

    /// The closure's picture.
    package func transform(_ image: Image, for key: CacheKey) -> Image? { closure(image) }

    package func forecast(for size: PixelSize, scale: Double) -> SizeForecast { .unknown }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// A transformer of the app from a closure, called on background threads, several at a time.
    ///
    /// ```swift
    /// context.transformer = .custom(identity: "square") { image in image.cropped(toAspectRatio: 1) }
    /// ```
    /// - Parameters:
    ///   - identity: Identifies what the closure does, with all that it depends on: results are cached under it.
    ///   - transform: Returns the new picture, or nil, and then loads deliver the picture itself.
    public static func custom(
        identity: String, _ transform: @escaping @Sendable (Image) -> Image?
    ) -> BuiltInTransformer {
        BuiltInTransformer(ClosureImageTransformer(identity: identity, transform))
    }
}
