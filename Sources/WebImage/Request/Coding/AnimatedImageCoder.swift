import FoundationEssentials

/// A coder that gives the frames of an animation when they are wanted.
///
/// Its ``ImageCoder/decode(_:options:)`` returns frame 0 with the animation, unless there is one frame or
/// ``ImageDecodeOptions/decodesFirstFrameOnly`` is set.
public protocol AnimatedImageCoder: ImageCoder {
    /// The frames of a file, at the size and in the colours that `options` ask for; nothing is decoded yet but what is
    /// needed to know them. A still file has one frame.
    ///
    /// - Parameter options: ``ImageDecodeOptions/decodesFirstFrameOnly`` and the cancellation do not count.
    /// - Throws: As ``ImageCoder/decode(_:options:)``, when not a single frame can be had.
    func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider
}
