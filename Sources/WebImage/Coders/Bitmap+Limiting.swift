extension Bitmap {
    /// The pixels to encode: these, or fewer where the options have a limit.
    package func limited(by options: ImageEncodeOptions) throws(WebImageError) -> Bitmap {
        guard let box = options.maxPixelSize else { return self }
        var fitting = ImageDecodeOptions()
        fitting.thumbnailPixelSize = box
        let target = ThumbnailGeometry(storedSourceSize: size, orientation: .up, options: fitting).outputSize
        let points = PointSize(width: Double(target.width), height: Double(target.height))
        guard let geometry = ResizeGeometry(source: size, size: points, scale: 1, mode: .fill) else { return self }
        return try resized(geometry)
    }
}
