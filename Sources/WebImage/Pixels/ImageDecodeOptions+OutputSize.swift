extension ImageDecodeOptions {
    /// The size at which a picture is to be delivered: that of the thumbnail's box or within the limit of bytes, or the
    /// picture's own.
    ///
    /// - Parameters:
    ///   - size: The whole picture in pixels, as a person sees it.
    ///   - frameCount: Frames of an animation, which share ``scaleDownLimitBytes``.
    public func outputSize(for size: PixelSize, frameCount: Int = 1) -> PixelSize {
        ThumbnailGeometry(storedSourceSize: size, orientation: .up, frameCount: frameCount, options: self).outputSize
    }
}
