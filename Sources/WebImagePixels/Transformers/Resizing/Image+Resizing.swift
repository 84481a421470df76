import WebImageCore

extension Image {
    /// The picture resized to `size` in points: the result has `size` × ``scale`` pixels, rounded, in every mode, and
    /// is enlarged if necessary. It is a still picture in memory with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - filter: The filter that makes the result's pixels.
    ///   - inLinearLight: Whether the filter mixes light instead of sRGB's numbers: slower; see
    ///     ``Bitmap/resized(to:filter:inLinearLight:)``.
    /// - Returns: Nil when a side is not positive, the result has more pixels than the default
    ///   ``ImageLimits/maximumPixelCount``, or there is no memory.
    public func resized(
        to size: PointSize, scaleMode: ImageScaleMode, filter: ResamplingFilter = .lanczos3,
        inLinearLight: Bool = false
    ) -> Image? {
        guard let geometry = ResizeGeometry(source: pixelSize, size: size, scale: scale, mode: scaleMode) else {
            return nil
        }
        return (try? bitmap.resized(geometry, filter: filter, inLinearLight: inLinearLight)).map(still)
    }

    /// A picture of other pixels at the same scale, without the file's metadata:
    /// ``ImageTransformer/preservesImageMetadata`` decides whether a transform for the caches adds them.
    func still(_ bitmap: Bitmap) -> Image { Image(bitmap: bitmap, scale: scale) }
}
