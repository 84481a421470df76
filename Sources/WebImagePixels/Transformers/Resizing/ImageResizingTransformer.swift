import WebImageCore

/// Resizes pictures to one size; see ``Image/resized(to:scaleMode:filter:inLinearLight:)``.
///
/// A thumbnail (``ImageDecodeOptions/thumbnailPixelSize``) is decoded at a smaller size and takes less memory and
/// time; this transformer is for pictures that must be cropped, enlarged, or padded.
package struct ImageResizingTransformer: LibraryTransformer, Hashable {
    /// The size of the result in points: multiplied by ``Image/scale`` it gives pixels.
    package let size: PointSize
    /// The handling of other proportions.
    package let scaleMode: ImageScaleMode
    /// The filter that makes the result's pixels.
    package let filter: ResamplingFilter
    /// Whether the filter mixes light instead of sRGB's numbers.
    package let isInLinearLight: Bool
    /// `SDImageResizingTransformer({100.000000,50.000000},2)`, as in SDWebImage; with another filter
    /// `SDImageResizingTransformer({100.000000,50.000000},2,box)`, and in linear light
    /// `SDImageResizingTransformer({100.000000,50.000000},2,box,linear)`.
    package let transformerKey: String

    /// A transformer to `size` points.
    package init(
        size: PointSize, scaleMode: ImageScaleMode, filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false
    ) {
        self.size = size
        self.scaleMode = scaleMode
        self.filter = filter
        isInLinearLight = inLinearLight
        let box = "{\(size.width.fixedPointText),\(size.height.fixedPointText)}"
        let usual = filter == .lanczos3 && !inLinearLight
        let suffix = usual ? "" : ",\(filter.name)" + (inLinearLight ? ",linear" : "")
        transformerKey = "SDImageResizingTransformer(\(box),\(scaleMode.number)\(suffix))"
    }

    /// The resized picture; nil when the size is invalid or too large.
    package func transform(_ image: Image, for key: CacheKey) -> Image? {
        image.resized(to: size, scaleMode: scaleMode, filter: filter, inLinearLight: isInLinearLight)
    }
}

extension ImageTransformer where Self == BuiltInTransformer {
    /// Resizes pictures to a size in points; by default the overhang of other proportions is cropped.
    ///
    /// ```swift
    /// context.transformer = .resize(width: 64, height: 64)
    /// ```
    public static func resize(
        width: Double, height: Double, scaleMode: ImageScaleMode = .aspectFill, filter: ResamplingFilter = .lanczos3,
        inLinearLight: Bool = false
    ) -> BuiltInTransformer {
        BuiltInTransformer(
            ImageResizingTransformer(
                size: PointSize(width: width, height: height), scaleMode: scaleMode, filter: filter,
                inLinearLight: inLinearLight))
    }
}
