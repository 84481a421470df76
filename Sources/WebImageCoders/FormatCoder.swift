import FoundationEssentials
import WebImageCore

/// One of the library's own coders, for one format.
///
/// ```swift
/// ImageCodersManager.shared.remove(.gif)
/// context.coder = .png  // whatever the bytes are
/// ```
public final class FormatCoder: ImageCoder {
    package let coder: any ImageCoder

    package init(_ coder: any ImageCoder) { self.coder = coder }

    /// Whether the coder decodes the file.
    public func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

    /// Whether the coder decodes files of `format`.
    public func canDecode(_ format: ImageFormat) -> Bool { coder.canDecode(format) }

    /// The coder for partial pictures; nil for a format that is decoded as a whole.
    public var progressiveCoder: (any ProgressiveImageCoder)? { coder.progressiveCoder }

    /// The coder for the frames of animations; nil for a format of still pictures.
    public var animatedCoder: (any AnimatedImageCoder)? { coder.animatedCoder }

    /// The properties of the picture, without decoding pixels.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete)
    }

    /// The same within the limits of `options`.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try coder.properties(of: data, isComplete: isComplete, options: options)
    }

    /// Decodes a whole file.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try coder.decode(data, options: options)
    }

    /// Whether the coder writes `format`.
    public func canEncode(_ format: ImageFormat) -> Bool { coder.canEncode(format) }

    /// Encodes a picture.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try coder.encode(image, to: format, options: options)
    }

    /// Encodes frames as an animation.
    public func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try coder.encode(frames, loopCount: loopCount, to: format, options: options)
    }
}
