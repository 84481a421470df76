import WebImageCore

extension ImageDecodeOptions {
    /// The size of the result: that of the thumbnail's box, within the byte limit, or the picture's own.
    ///
    /// - Parameters:
    ///   - size: The size of the whole picture in pixels, after orientation.
    ///   - frameCount: The number of frames of an animation, which share ``scaleDownLimitBytes``.
    public func outputSize(for size: PixelSize, frameCount: Int = 1) -> PixelSize {
        ThumbnailGeometry(storedSourceSize: size, orientation: .up, frameCount: frameCount, options: self).outputSize
    }
}
