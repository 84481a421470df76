import WebImageCore
import WebImagePixels

extension Bitmap {
    /// The pixels to encode: these, or a reduced copy where the options have a limit.
    package func limited(by options: ImageEncodeOptions) throws(WebImageError) -> Bitmap {
        guard options.maxPixelSize != nil else { return self }
        let target = size.limited(by: options)
        let points = PointSize(width: Double(target.width), height: Double(target.height))
        guard let geometry = ResizeGeometry(source: size, size: points, scale: 1, mode: .fill) else { return self }
        return try resized(geometry)
    }
}

extension PixelSize {
    /// The size that a picture of this size is encoded at.
    package func limited(by options: ImageEncodeOptions) -> PixelSize {
        guard let box = options.maxPixelSize else { return self }
        var fitting = ImageDecodeOptions()
        fitting.thumbnailPixelSize = box
        return ThumbnailGeometry(storedSourceSize: self, orientation: .up, options: fitting).outputSize
    }
}
