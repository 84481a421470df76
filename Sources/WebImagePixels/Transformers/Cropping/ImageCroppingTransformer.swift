import WebImageCore

/// Crops pictures to a rectangle; see ``Image/cropped(to:)``.
package struct ImageCroppingTransformer: LibraryTransformer {
    /// The rectangle in points of the picture.
    package let rectangle: PointRect
    /// `SDImageCroppingTransformer({0.000000,0.000000,50.000000,50.000000})`, as in SDWebImage.
    package let transformerKey: String

    /// A transformer that keeps a rectangle, in points.
    package init(_ rectangle: PointRect) {
        self.rectangle = rectangle
        let numbers = [rectangle.x, rectangle.y, rectangle.size.width, rectangle.size.height]
        transformerKey = "SDImageCroppingTransformer({\(numbers.map(\.fixedPointText).joined(separator: ","))})"
    }

    /// The part of the picture; nil when nothing is in the rectangle.
    package func transform(_ image: Image, for key: CacheKey) -> Image? { image.cropped(to: rectangle) }
}

/// Crops pictures to other proportions; see ``Image/cropped(toAspectRatio:focus:)``.
package struct AspectCroppingTransformer: LibraryTransformer, Hashable {
    /// The width divided by the height.
    package let aspectRatio: Double
    /// The place that stays in the middle.
    package let focus: UnitPoint

    /// A transformer that keeps the largest part with these proportions.
    package init(aspectRatio: Double, focus: UnitPoint) {
        self.aspectRatio = aspectRatio
        self.focus = focus
    }

    /// `AspectCroppingTransformer(1.500000,{0.500000,0.500000})`.
    package var transformerKey: String {
        "AspectCroppingTransformer(\(aspectRatio.fixedPointText),{\(focus.x.fixedPointText),\(focus.y.fixedPointText)})"
    }

    /// The part of the picture; nil for numbers that make no rectangle.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.cropped(toAspectRatio: aspectRatio, focus: focus)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Keeps a rectangle of pictures, in points from the top left corner.
    ///
    /// ```swift
    /// context.transformer = .crop(PointRect(x: 0, y: 0, width: 100, height: 100))
    /// ```
    public static func crop(_ rectangle: PointRect) -> BuiltInTransformer {
        BuiltInTransformer(ImageCroppingTransformer(rectangle))
    }

    /// Keeps the largest part of pictures with other proportions, width divided by height, around a place.
    ///
    /// ```swift
    /// context.transformer = .crop(aspectRatio: 16 / 9, focus: UnitPoint(x: 0.5, y: 0.3))
    /// ```
    public static func crop(aspectRatio: Double, focus: UnitPoint = .center) -> BuiltInTransformer {
        BuiltInTransformer(AspectCroppingTransformer(aspectRatio: aspectRatio, focus: focus))
    }
}
