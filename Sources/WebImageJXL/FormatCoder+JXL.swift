import WebImageCoders
import WebImageCore

private let shared = FormatCoder(JXLCoder())

extension ImageCoder where Self == FormatCoder {
    /// JPEG XL by libjxl, stills and animations of any depth; add it to ``WebImage/ImageCodersManager``.
    public static var jpegXL: FormatCoder { shared }
}
