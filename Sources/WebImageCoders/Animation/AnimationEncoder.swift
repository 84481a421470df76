import FoundationEssentials
import WebImageCore

/// A coder of a format with animations. It encodes frames; the extension handles what all such formats share.
package protocol AnimationEncoder: ImageCoder {
    /// Whether the format is lossy, so that a lower quality makes a smaller file.
    var isLossy: Bool { get }

    /// Encodes all of the frames; one becomes a still picture.
    func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data
}

extension AnimationEncoder {
    /// Encodes a picture with all of its frames; returns its original file where that can stay as it is.
    package func encodeAllFrames(
        of image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        if let file = image.untouchedFile(for: format, options: options), fits(file, options) { return file }
        return try encode(OutgoingFrames(image, to: format, options: options), options: options)
    }

    /// Encodes a list of frames.
    package func encodeAll(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        let frames = try OutgoingFrames(frames, loopCount: loopCount, to: format, options: options)
        return try encode(frames, options: options)
    }

    /// Without a quality to lower, encoding again is not certain to make a smaller file.
    private func fits(_ file: Data, _ options: ImageEncodeOptions) -> Bool {
        !isLossy || file.count <= options.maxFileSize ?? .max
    }
}

extension ImageCoder {
    /// Throws unless the coder writes `format`.
    package func requireEncoder(of format: ImageFormat) throws(WebImageError) {
        guard canEncode(format) else { throw .notEncoded(format, "\(Self.self) does not write it here") }
    }
}

extension Image {
    /// The original file of the picture, where encoding to `format` again could only lose quality.
    fileprivate func untouchedFile(for format: ImageFormat, options: ImageEncodeOptions) -> Data? {
        guard metadata.format == format, !metadata.isThumbnail, !metadata.isTransformed, !metadata.isIncremental,
            options.compressionQuality ?? 1 >= 1, pixelSize.limited(by: options) == pixelSize,
            !options.encodesFirstFrameOnly,
            format != .gif || options.maxColorCount >= 256 && !options.sharesColors
        else { return nil }
        return animation?.animatedImageData
    }
}
