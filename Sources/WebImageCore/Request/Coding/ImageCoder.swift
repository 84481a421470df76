import FoundationEssentials

/// Decodes and encodes the files of one or more formats.
///
/// Coders are stateless and shared: methods may run on several threads at once, never on the main thread. Register your
/// own with ``ImageCodersManager/add(_:)``; the last one registered is asked first.
public protocol ImageCoder: Sendable {
    /// Whether this coder decodes the file; `data` may be only its first bytes. By default, whether it decodes files of the
    /// format that ``ImageFormat/init(sniffing:)`` detects.
    func canDecode(_ data: Data) -> Bool

    /// Whether this coder decodes files of `format`: asked where no coder recognises the bytes and a hint has the
    /// format. False by default.
    func canDecode(_ format: ImageFormat) -> Bool

    /// The coder that shows a part of a picture while the rest is arriving: itself, if it is a ``ProgressiveImageCoder``;
    /// nil if it decodes only whole files. A coder that wraps another one returns that one's.
    var progressiveCoder: (any ProgressiveImageCoder)? { get }

    /// The coder that decodes the frames of an animation: itself, if it is an ``AnimatedImageCoder``; nil if it decodes
    /// only still pictures. A coder that wraps another one returns that one's.
    var animatedCoder: (any AnimatedImageCoder)? { get }

    /// Whether a decode of `data` may take long in one call of a library, which neither a cancellation nor a limit of time
    /// interrupts, such as that of a document. Such decodes have workers of their own: however long some of them take, all
    /// other pictures are decoded meanwhile. False by default.
    func isUninterruptible(for data: Data) -> Bool

    /// The properties of the picture, without decoding pixels.
    ///
    /// - Parameter isComplete: False when `data` is only the beginning of the file.
    /// - Returns: nil when `data` is incomplete and more of it is needed.
    /// - Throws: ``WebImageError/Code/badImageData`` or ``WebImageError/Code/truncatedImageData``.
    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties?

    /// The same within the limits of `options`: coders that must read more than a header check the limits and the
    /// cancellation. Calls ``properties(of:isComplete:)`` by default.
    func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties?

    /// Decodes a whole file, straight to the thumbnail size when `options` asks for one.
    ///
    /// - Throws: ``WebImageError/Code/badImageData``, ``WebImageError/Code/truncatedImageData``,
    ///   ``WebImageError/Code/limitExceeded`` (checked on the header, before pixels are allocated), or
    ///   ``WebImageError/Code/cancelled`` when `options.cancellation` was raised meanwhile.
    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image

    /// Whether the coder decodes still pictures of `format` row by row, as ``ImageDecodeOptions/image(of:animation:fillRow:)``
    /// lets it: a load's resizing and cropping then begin in the decode, without memory for the whole picture. False by
    /// default.
    func decodesRows(of format: ImageFormat) -> Bool

    /// Reads the header of a large picture's file, for ``TiledImage``.
    ///
    /// - Parameter colorSpace: The colours of rows and regions: sRGB, or Display P3 for a file that is known to have
    ///   colours outside of sRGB.
    /// - Returns: nil for a file whose parts cannot be decoded by themselves, and by default: such a picture is decoded as
    ///   a whole.
    /// - Throws: As ``decode(_:options:)``.
    func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)?

    /// Whether ``encode(_:to:options:)`` can write `format`. False by default.
    func canEncode(_ format: ImageFormat) -> Bool

    /// Encodes a picture: an animation with all its frames where the format supports it, unless
    /// ``ImageEncodeOptions/encodesFirstFrameOnly`` is set.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``.
    func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data

    /// Encodes frames as an animation; one frame becomes a still picture. By default, a coder writes one frame only.
    ///
    /// - Parameters:
    ///   - frames: At least one, all of one size.
    ///   - loopCount: The number of plays; 0 for endless.
    /// - Throws: ``WebImageError/Code/encodeFailed``, also without frames or with more than the coder can write.
    func encode(
        _ frames: [ImageFrame], loopCount: Int, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data
}

extension ImageCoder {
    /// Whether the coder decodes files of the format that the bytes have.
    public func canDecode(_ data: Data) -> Bool { canDecode(ImageFormat(sniffing: data)) }

    /// False: only the bytes decide.
    public func canDecode(_ format: ImageFormat) -> Bool { false }

    /// Nil: the coder decodes only whole files.
    public var progressiveCoder: (any ProgressiveImageCoder)? { nil }

    /// Nil: the coder decodes only still pictures.
    public var animatedCoder: (any AnimatedImageCoder)? { nil }

    /// False: the decode looks at its cancellation and its limits.
    public func isUninterruptible(for data: Data) -> Bool { false }

    /// The properties by the bytes alone.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete)
    }

    /// False: the coder makes whole pictures.
    public func decodesRows(of format: ImageFormat) -> Bool { false }

    /// Nil: the coder decodes only whole files.
    public func openRegions(
        of file: RandomAccessFile, limits: ImageLimits, in colorSpace: ColorSpace
    ) throws(WebImageError) -> (any RegionImageFile)? { nil }

    /// False: the coder is read-only.
    public func canEncode(_ format: ImageFormat) -> Bool { false }
}
