import WebImageCoders
import WebImageCore

private let shared = FormatCoder(HEIFCoder())

extension ImageCoder where Self == FormatCoder {
    /// HEIC and HEIF by libheif, the primary picture of 8 to 12 bits; add it to ``WebImage/ImageCodersManager``. libheif
    /// trusts what a file says of itself, so that files of strangers are for processes of their own
    /// (``WebImage/ImageCodersManager/isolation``).
    public static var heif: FormatCoder { shared }
}
