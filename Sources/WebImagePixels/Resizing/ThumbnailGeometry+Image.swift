import WebImageCore

extension ThumbnailGeometry {
    /// The metadata of a still picture's result.
    package func metadata(of format: ImageFormat) -> ImageMetadata {
        ImageMetadata(format: format, originalPixelSize: sourceSize, isThumbnail: isThumbnail)
    }

    /// The picture that a coder returns.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames in the file. Dropped, with the loop count, where the options ask for a
    ///     still picture.
    ///   - loopCount: The number of plays.
    ///   - animation: The frames.
    package func makeImage(
        _ bitmap: Bitmap, of format: ImageFormat, frameCount: Int = 1, loopCount: Int = 0,
        animation: (any AnimatedImageProvider)? = nil, isIncremental: Bool = false, options: ImageDecodeOptions
    ) -> Image {
        var metadata = metadata(of: format)
        metadata.isIncremental = isIncremental
        if !options.decodesFirstFrameOnly {
            metadata.frameCount = frameCount
            metadata.loopCount = loopCount
        }
        return Image(
            bitmap: bitmap, scale: options.scaleFactor ?? 1, metadata: metadata,
            animation: options.decodesFirstFrameOnly ? nil : animation, decodeOptions: options)
    }

    /// The picture that a coder of vector graphics returns.
    package func makeVectorImage(_ bitmap: Bitmap, of format: ImageFormat, options: ImageDecodeOptions) -> Image {
        var metadata = metadata(of: format)
        metadata.isVector = true
        return Image(bitmap: bitmap, scale: options.scaleFactor ?? 1, metadata: metadata, decodeOptions: options)
    }
}
