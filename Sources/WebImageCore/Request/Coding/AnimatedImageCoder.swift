import FoundationEssentials

/// A coder that decodes the frames of an animation on demand.
///
/// Its ``ImageCoder/decode(_:options:)`` returns frame 0 with the animation, unless there is one frame or
/// ``ImageDecodeOptions/decodesFirstFrameOnly`` is set.
public protocol AnimatedImageCoder: ImageCoder {
    /// The frames of a file, at the size and in the colours of `options`; decodes only what their description requires.
    /// A still file has one frame.
    ///
    /// - Parameter options: ``ImageDecodeOptions/decodesFirstFrameOnly`` and the cancellation are ignored.
    /// - Throws: As ``ImageCoder/decode(_:options:)``, when no frame can be decoded.
    func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider
}

extension AnimatedImageCoder {
    /// This coder.
    public var animatedCoder: (any AnimatedImageCoder)? { self }
}
