import WebImageCore

extension Image {
    /// The result of `transformer`: always a new object with ``ImageMetadata/isTransformed``. The picture itself may be
    /// shared and stays unchanged, even when the transformer returns it.
    ///
    /// With ``ImageTransformer/preservesImageMetadata`` the result has this picture's metadata and decode options,
    /// which describe the file: ``ImageMetadata/frameCount`` and ``ImageMetadata/loopCount`` are those of an animated
    /// file even when the result is a still picture of its first frame. ``scale``, ``animation`` and
    /// ``ImageMetadata/isVector`` are the result's own.
    /// - Parameter key: The picture's cache key.
    /// - Returns: Nil when the transformer fails.
    package func transformed(
        by transformer: some ImageTransformer, for key: CacheKey, cancellation: CancellationFlag? = nil
    ) -> Image? {
        guard let result = transformer.transform(self, for: key, cancellation: cancellation) else { return nil }
        var metadata = result.metadata
        if transformer.preservesImageMetadata {
            metadata = self.metadata
            metadata.isVector = result.metadata.isVector
        }
        metadata.isTransformed = true
        return Image(
            bitmap: result.bitmap, scale: result.scale, metadata: metadata, animation: result.animation,
            decodeOptions: transformer.preservesImageMetadata ? decodeOptions : result.decodeOptions)
    }
}
