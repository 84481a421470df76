extension ThumbnailGeometry {
    /// What the result remembers of the file: a still picture's.
    func metadata(of format: ImageFormat) -> ImageMetadata {
        ImageMetadata(format: format, originalPixelSize: sourceSize, isThumbnail: isThumbnail)
    }

    /// The picture that a coder delivers.
    ///
    /// - Parameters:
    ///   - frameCount: Frames in the file. Forgotten, with the loops, where the options ask for a still picture.
    ///   - loopCount: How often they play.
    func makeImage(
        _ bitmap: Bitmap, of format: ImageFormat, frameCount: Int = 1, loopCount: Int = 0, isIncremental: Bool = false,
        options: ImageDecodeOptions
    ) -> Image {
        var metadata = metadata(of: format)
        metadata.isIncremental = isIncremental
        if !options.decodesFirstFrameOnly {
            metadata.frameCount = frameCount
            metadata.loopCount = loopCount
        }
        return Image(bitmap: bitmap, scale: options.scaleFactor, metadata: metadata, decodeOptions: options)
    }
}
