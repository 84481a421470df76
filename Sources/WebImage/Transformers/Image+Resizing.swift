extension Image {
    /// The picture brought to `size`, which is in points: the result has `size` × ``scale`` pixels, to nearest, whatever
    /// the mode; enlarged where need be. A still picture, made in memory; ``scale`` is kept.
    ///
    /// Blocks for as long as it takes; any thread.
    /// - Returns: Nil when a side is not above zero, or the result has more pixels than
    ///   ``ImageLimits/maximumPixelCount`` allows by default, or memory runs out.
    public func resized(to size: PointSize, scaleMode: ImageScaleMode) -> Image? {
        guard let geometry = ResizeGeometry(source: pixelSize, size: size, scale: scale, mode: scaleMode) else {
            return nil
        }
        return (try? bitmap.resized(geometry)).map(still)
    }

    /// A picture of other pixels at the same scale. What is known of the file stays behind: whoever transforms for the
    /// caches takes it along as ``ImageTransformer/preservesImageMetadata`` says.
    func still(_ bitmap: Bitmap) -> Image { Image(bitmap: bitmap, scale: scale) }
}
