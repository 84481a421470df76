import FoundationEssentials
import WebImageCore
import WebImagePixels

/// Writes PAM (netpbm's P7): a text header, then the pixels as straight RGBA with the bitmap's 8 or 16 bits. It does
/// not read PAM.
///
/// PAM is lossless and has no options, so it suits comparisons of decoders.
public struct PAMEncoder: ImageCoder, Hashable {
    /// A coder without state.
    package init() {}

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

    /// Writes the pixels with an alpha channel, whether they use it or not, in sRGB unless their colours are as stored:
    /// PAM cannot describe others.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        let limited = try image.bitmap.limited(by: options)
        let bitmap = try limited.converted(to: limited.format)
        var data = header(of: bitmap)
        data.reserveCapacity(data.count + bitmap.byteCount)
        switch bitmap.format.depth {
        case .eight:
            try bitmap.withStraightPixels { base, bytesPerRow in
                for row in 0..<bitmap.size.height { data.append(base + row * bytesPerRow, count: bytesPerRow) }
            }
        case .sixteen:
            try bitmap.withDeepStraightPixels { channels in
                for channel in channels { withUnsafeBytes(of: channel.bigEndian) { data.append(contentsOf: $0) } }
            }
        }
        return data
    }

    private func header(of bitmap: Bitmap) -> Data {
        let maximum = bitmap.format.depth == .eight ? 255 : 65_535
        return Data(
            """
            P7
            WIDTH \(bitmap.size.width)
            HEIGHT \(bitmap.size.height)
            DEPTH 4
            MAXVAL \(maximum)
            TUPLTYPE RGB_ALPHA
            ENDHDR

            """.utf8)
    }

    private static let writesOnly = WebImageError(
        .badImageData, stage: .decode, kind: .permanent, reason: "PAM files are written but not read")
}

extension ImageCoder where Self == PAMEncoder {
    /// Portable arbitrary map (PAM), which is only written: uncompressed pixels, for tools that compare them exactly.
    public static var pam: PAMEncoder { PAMEncoder() }
}
