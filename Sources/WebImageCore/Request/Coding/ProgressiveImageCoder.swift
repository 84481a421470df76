import FoundationEssentials

/// A coder that can show a part of a picture while the rest is arriving.
public protocol ProgressiveImageCoder: ImageCoder {
    /// Whether a file that begins with `data` can be decoded progressively; by default, whether it can be decoded.
    func canDecodeProgressively(_ data: Data) -> Bool
    /// A decoder for one file.
    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder
}

extension ProgressiveImageCoder {
    /// Whether the file can be decoded.
    public func canDecodeProgressively(_ data: Data) -> Bool { canDecode(data) }

    /// This coder.
    public var progressiveCoder: (any ProgressiveImageCoder)? { self }
}

/// Decodes one file as it arrives: it keeps its state and does not decode earlier bytes again. Used by one job at a
/// time, on any thread.
public protocol ProgressiveImageDecoder: AnyObject, Sendable {
    /// Decodes the next bytes of the file.
    ///
    /// - Returns: A partial picture of the final size, with ``ImageMetadata/isIncremental`` set, when there is more to
    ///   show than before; otherwise nil. Where the options ask for a preview (``ImageDecodeOptions/decodesPreview``),
    ///   a picture without that flag is the preview: the rest of the file is not needed. Under
    ///   ``ImageDecodeOptions/scaleDownLimitBytes``, partial pictures of an animation are larger than the final ones
    ///   until the number of frames that share the limit is known.
    /// - Throws: Once, when the bytes cannot become a picture.
    func update(_ newBytes: Data) throws(WebImageError) -> Image?
}
