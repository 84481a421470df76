import WebImageCoders
import WebImageCore

private let shared = FormatCoder(AVIFCoder())

extension ImageCoder where Self == FormatCoder {
    /// AVIF by libavif, stills and sequences of 8 to 12 bits; add it to ``WebImage/ImageCodersManager``.
    public static var avif: FormatCoder { shared }
}
