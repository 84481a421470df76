import FoundationEssentials

/// A coder that can show a part of a picture while the rest is still coming.
public protocol ProgressiveImageCoder: ImageCoder {
    /// Whether a file that begins with `data` can be decoded as it comes.
    func canDecodeProgressively(_ data: Data) -> Bool
    /// A decoder for one file.
    func makeProgressiveDecoder(options: ImageDecodeOptions) -> any ProgressiveImageDecoder
}

/// Decodes one file as it comes: keeps its state and never starts from the first byte again. Used by one job at a time,
/// on any thread.
public protocol ProgressiveImageDecoder: AnyObject, Sendable {
    /// Takes the next bytes of the file.
    ///
    /// - Returns: A partial picture of the size that the whole will have, its metadata marked
    ///   ``ImageMetadata/isIncremental``, when there is more to see than before; otherwise nil. Where the options ask for
    ///   a preview (``ImageDecodeOptions/decodesPreview``), a picture without the mark is that preview: the rest of the
    ///   file is of no use. Under ``ImageDecodeOptions/scaleDownLimitBytes`` an animation's are larger than the whole, as
    ///   long as it is not known how many frames share that limit.
    /// - Throws: Once, when the bytes cannot become a picture.
    func update(_ newBytes: Data) throws(WebImageError) -> Image?
}
