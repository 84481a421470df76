import FoundationEssentials

/// Writes PAM (netpbm's P7): a text header, then the pixels as straight 8-bit RGBA. It does not read it.
///
/// Nothing is lost or chosen in it, so it is the form for comparing what decoders made of a file.
public struct PAMEncoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// False: PAM is only written.
    public func canDecode(_ data: Data) -> Bool { false }

    /// Throws: PAM is only written.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        throw Self.writesOnly
    }

    /// Throws: PAM is only written.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        throw Self.writesOnly
    }

    /// Whether `format` is PAM.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .pam }

    /// Writes the pixels with an alpha channel, whether they use it or not.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the PAM encoder was asked for it") }
        let bitmap = try image.bitmap.limited(by: options)
        let size = bitmap.size
        var data = Data(
            "P7\nWIDTH \(size.width)\nHEIGHT \(size.height)\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".utf8)
        data.reserveCapacity(data.count + size.area * 4)
        try bitmap.withStraightPixels { base, bytesPerRow in
            for row in 0..<size.height { data.append(base + row * bytesPerRow, count: size.width * 4) }
        }
        return data
    }

    private static let writesOnly = WebImageError(
        .badImageData, stage: .decode, kind: .permanent, reason: "PAM files are written but not read")
}
