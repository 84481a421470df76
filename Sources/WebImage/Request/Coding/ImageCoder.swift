import FoundationEssentials

/// Turns the bytes of one or more formats into pictures and back.
///
/// Coders are stateless and shared: every method may run on several threads at once, never on the main one. Register
/// your own with ``ImageCodersManager/add(_:)``; the last one registered is asked first.
public protocol ImageCoder: Sendable {
    /// Whether the bytes, of which only the first few may be there, are this coder's to decode.
    func canDecode(_ data: Data) -> Bool

    /// Whether files of `format` are this coder's to decode: asked where no coder takes the bytes and a hint names the
    /// format. False unless the coder says otherwise.
    func canDecode(_ format: ImageFormat) -> Bool

    /// What the file says of its picture, without decoding pixels.
    ///
    /// - Parameter isComplete: False when `data` is only the beginning of the file.
    /// - Returns: nil when `data` is incomplete and more of it is needed.
    /// - Throws: ``WebImageError/Code/badImageData`` or ``WebImageError/Code/truncatedImageData``.
    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties?

    /// The same within the limits of `options`: coders that must read more than a header look at those, and at the
    /// cancellation. ``properties(of:isComplete:)`` unless the coder says otherwise.
    func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties?

    /// Decodes a whole file, straight to the thumbnail size when `options` asks for one.
    ///
    /// - Throws: ``WebImageError/Code/badImageData``, ``WebImageError/Code/truncatedImageData``,
    ///   ``WebImageError/Code/limitExceeded`` (checked on the header, before pixels are allocated), or
    ///   ``WebImageError/Code/cancelled`` when `options.cancellation` was raised meanwhile.
    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image

    /// Whether ``encode(_:to:options:)`` can write `format`. False unless the coder says otherwise.
    func canEncode(_ format: ImageFormat) -> Bool

    /// Encodes a picture: an animation with all its frames where the format can hold them, unless
    /// ``ImageEncodeOptions/encodesFirstFrameOnly`` is set.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``.
    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data

    /// Encodes frames as an animation; one frame becomes a still picture. A coder that does not say otherwise writes one
    /// frame only.
    ///
    /// - Parameters:
    ///   - frames: At least one, all of one size.
    ///   - loopCount: How often they play; 0 is for ever.
    /// - Throws: ``WebImageError/Code/encodeFailed``, also where there are no frames or more than the coder can write.
    func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data
}

extension ImageCoder {
    /// False: the bytes alone decide.
    public func canDecode(_ format: ImageFormat) -> Bool { false }

    /// What the bytes alone say.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete)
    }

    /// False: the coder only reads.
    public func canEncode(_ format: ImageFormat) -> Bool { false }
}
