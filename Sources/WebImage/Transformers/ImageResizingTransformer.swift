/// Resizes pictures to one size; see ``Image/resized(to:scaleMode:)``.
///
/// A thumbnail (``ImageDecodeOptions/thumbnailPixelSize``) is decoded at a smaller size and takes less memory and
/// time; this transformer is for pictures that must be cropped, enlarged, or padded.
public struct ImageResizingTransformer: ImageTransformer, Hashable {
    /// The size of the result in points: multiplied by ``Image/scale`` it gives pixels.
    package let size: PointSize
    /// The handling of other proportions.
    package let scaleMode: ImageScaleMode
    /// `SDImageResizingTransformer({100.000000,50.000000},2)`, as in SDWebImage.
    public let transformerKey: String

    /// A transformer to `size` points.
    public init(size: PointSize, scaleMode: ImageScaleMode) {
        self.size = size
        self.scaleMode = scaleMode
        let box = "{\(size.width.fixedPointText),\(size.height.fixedPointText)}"
        transformerKey = "SDImageResizingTransformer(\(box),\(scaleMode.rawValue))"
    }

    /// The resized picture; nil when the size is invalid or too large.
    public func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.resized(to: size, scaleMode: scaleMode)
    }
}

extension ImageTransformer where Self == ImageResizingTransformer {
    /// Resizes pictures to a size in points; by default the overhang of other proportions is cropped.
    ///
    /// ```swift
    /// context.transformer = .resize(width: 64, height: 64)
    /// ```
    public static func resize(
        width: Double, height: Double, scaleMode: ImageScaleMode = .aspectFill
    ) -> ImageResizingTransformer {
        ImageResizingTransformer(size: PointSize(width: width, height: height), scaleMode: scaleMode)
    }
}
