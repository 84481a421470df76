import WebImageCoders
import WebImageCore

private let shared = FormatCoder(TIFFCoder())

extension ImageCoder where Self == FormatCoder {
    /// TIFF by libtiff, any page; add it to ``WebImage/ImageCodersManager``.
    public static var tiff: FormatCoder { shared }
}
