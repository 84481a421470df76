import WebImageCore

/// Mirrors pictures; see ``Image/flipped(horizontal:vertical:)``.
package struct ImageFlippingTransformer: LibraryTransformer, Hashable {
    /// Whether to mirror left to right.
    package let horizontal: Bool
    /// Whether to mirror top to bottom.
    package let vertical: Bool
    /// `SDImageFlippingTransformer(1,0)`, as in SDWebImage.
    package let transformerKey: String

    /// A transformer that mirrors along one axis or, for half a turn, both.
    package init(horizontal: Bool, vertical: Bool) {
        self.horizontal = horizontal
        self.vertical = vertical
        transformerKey = "SDImageFlippingTransformer(\(horizontal ? 1 : 0),\(vertical ? 1 : 0))"
    }

    /// The mirrored picture.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.flipped(horizontal: horizontal, vertical: vertical)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Mirrors pictures along one axis or, for half a turn, both.
    ///
    /// ```swift
    /// context.transformer = .flip(horizontal: true)
    /// ```
    public static func flip(horizontal: Bool = false, vertical: Bool = false) -> BuiltInTransformer {
        BuiltInTransformer(ImageFlippingTransformer(horizontal: horizontal, vertical: vertical))
    }
}
