import WebImageCore

/// One instance of each, so that contexts with the same coder are equal.
private enum BuiltIn {
    static let bmp = FormatCoder(BMPCoder())
    static let gif = FormatCoder(GIFCoder())
    static let ico = FormatCoder(ICOCoder())
    static let jpeg = FormatCoder(JPEGCoder())
    static let pam = FormatCoder(PAMEncoder())
    static let png = FormatCoder(PNGCoder())
    static let webP = FormatCoder(WebPCoder())
}

/// The coders of ``ImageCodersManager/shared``.
extension ImageCoder where Self == FormatCoder {
    /// BMP, with alpha and embedded JPEG or PNG.
    public static var bmp: FormatCoder { BuiltIn.bmp }
    /// GIF with its frames.
    public static var gif: FormatCoder { BuiltIn.gif }
    /// Windows icons and cursors: the largest of their pictures.
    public static var ico: FormatCoder { BuiltIn.ico }
    /// JPEG: baseline, progressive and arithmetic.
    public static var jpeg: FormatCoder { BuiltIn.jpeg }
    /// Portable arbitrary map (PAM), which is only written: uncompressed pixels, for tools that compare them exactly.
    public static var pam: FormatCoder { BuiltIn.pam }
    /// PNG and APNG.
    public static var png: FormatCoder { BuiltIn.png }
    /// WebP: lossy, lossless and animated.
    public static var webP: FormatCoder { BuiltIn.webP }
}
