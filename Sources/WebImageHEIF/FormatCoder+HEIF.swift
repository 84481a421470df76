import WebImage

private let shared = FormatCoder(HEIFCoder())

extension ImageCoder where Self == FormatCoder {
    /// HEIC and HEIF by libheif, the primary picture of 8 to 12 bits; add it to ``WebImage/ImageCodersManager``.
    public static var heif: FormatCoder { shared }
}
