extension Image {
    /// What `transformer` makes of the picture: always a new object, marked as ``ImageMetadata/isTransformed``; the
    /// picture itself, which others may hold, is left alone even when the transformer gives it back.
    ///
    /// With ``ImageTransformer/preservesImageMetadata`` the result has this picture's metadata and decode options, which
    /// tell of the file: ``ImageMetadata/frameCount`` and ``ImageMetadata/loopCount`` are those of an animated file, also
    /// when the result is a still picture of its first frame. ``scale``, ``animation`` and ``ImageMetadata/isVector`` are
    /// the result's own.
    /// - Parameter key: The picture's name in the caches.
    /// - Returns: Nil when the transformer makes nothing of the picture.
    package func transformed(by transformer: some ImageTransformer, for key: CacheKey) -> Image? {
        guard let result = transformer.transform(self, for: key) else { return nil }
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
