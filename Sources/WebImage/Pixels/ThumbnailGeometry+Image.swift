extension ThumbnailGeometry {
    /// What the result remembers of the file: a still picture's.
    package func metadata(of format: ImageFormat) -> ImageMetadata {
        ImageMetadata(format: format, originalPixelSize: sourceSize, isThumbnail: isThumbnail)
    }

    /// The picture that a coder delivers.
    ///
    /// - Parameters:
    ///   - frameCount: Frames in the file. Forgotten, with the loops, where the options ask for a still picture.
    ///   - loopCount: How often they play.
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
            bitmap: bitmap, scale: options.scaleFactor, metadata: metadata,
            animation: options.decodesFirstFrameOnly ? nil : animation, decodeOptions: options)
    }

    /// The picture that a coder of shapes delivers.
    package func makeVectorImage(_ bitmap: Bitmap, of format: ImageFormat, options: ImageDecodeOptions) -> Image {
        var metadata = metadata(of: format)
        metadata.isVector = true
        return Image(bitmap: bitmap, scale: options.scaleFactor, metadata: metadata, decodeOptions: options)
    }
}
