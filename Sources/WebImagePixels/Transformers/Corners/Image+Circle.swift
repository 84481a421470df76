import WebImageCore

extension Image {
    /// The largest circle around the centre of the picture, transparent outside of it, with a border. The result is a
    /// square still picture in memory with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - borderWidth: In points. Half of the side or more leaves nothing of the picture.
    ///   - borderColor: Nil draws no border, and leaves its area transparent.
    /// - Returns: Nil when the width is negative, infinite or NaN, or there is no memory.
    public func circular(borderWidth: Double = 0, borderColor: RGBAColor? = nil) -> Image? {
        let square = cropped(toAspectRatio: 1)
        return square?.roundedCorners(
            radius: Double(pixelSize.width + pixelSize.height), borderWidth: borderWidth, borderColor: borderColor)
    }
}

/// Crops pictures to a circle; see ``Image/circular(borderWidth:borderColor:)``.
package struct ImageCircleTransformer: LibraryTransformer, Hashable {
    private let borderWidth: Double
    private let borderColor: RGBAColor?

    /// A transformer that crops pictures to a circle, with a border in points.
    package init(borderWidth: Double, borderColor: RGBAColor?) {
        self.borderWidth = borderWidth
        self.borderColor = borderColor
    }

    /// `ImageCircleTransformer(1.000000,#ff000000)`.
    package var transformerKey: String {
        "ImageCircleTransformer(\(borderWidth.fixedPointText),\(borderColor?.hex ?? "none"))"
    }

    /// The circle; nil when the width is negative, infinite or NaN.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.circular(borderWidth: borderWidth, borderColor: borderColor)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Crops pictures to the largest circle around their centre, and draws a border if there is a colour for it.
    ///
    /// ```swift
    /// context.transformer = .circle(borderWidth: 2, borderColor: .white)
    /// ```
    public static func circle(borderWidth: Double = 0, borderColor: RGBAColor? = nil) -> BuiltInTransformer {
        BuiltInTransformer(ImageCircleTransformer(borderWidth: borderWidth, borderColor: borderColor))
    }
}
