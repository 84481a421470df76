import FoundationEssentials
import WebImageCore
import WebImagePixels

/// BMP of Windows and OS/2, decoded and encoded by the library itself.
///
/// All depths from 1 to 32 bits, with any masks, run lengths, alpha, an ICC profile, or an embedded JPEG or PNG file.
/// An uncompressed picture is decoded row by row, so that a thumbnail never needs the whole picture in memory. Without
/// masks the fourth byte of 32 bits is not alpha; pixels that a run-length file skips are transparent.
public struct BMPCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with BMP's signature.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(2)) == .bmp }

    /// Whether `format` is BMP.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .bmp }

    /// Whether `format` is BMP.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .bmp }

    /// Size, depth and alpha, from the bytes before the pixels; an ICC profile is after the pixels and needs the whole
    /// file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try FileBeginning.read(isComplete: isComplete) { () throws(WebImageError) in
            let header = try BMPHeader(file: data)
            if !isComplete, let profile = header.profileRange, profile.upperBound > data.count { return nil }
            return header.properties(of: .bmp, in: data)
        }
    }

    /// Decodes the picture; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let header = try BMPHeader(file: data)
        if let embedded = try BMPEmbeddedFile(header, data: data) { return try embedded.decode(options: options) }
        let geometry = ThumbnailGeometry(storedSourceSize: header.size, orientation: .up, options: options)
        let bitmap = try BMPDecoder(header, data: data, format: .bmp).decode(geometry: geometry, options: options)
        return geometry.makeImage(bitmap, of: .bmp, options: options)
    }

    /// Whether `format` is BMP.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .bmp }

    /// Writes 24 bits a pixel, or 32 with alpha and the header of version 4 where the picture may be translucent.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        let bitmap = try image.bitmap.limited(by: options)
        return try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            try BMPEncoder(size: bitmap.size, hasAlpha: !bitmap.isOpaque).encode(base, bytesPerRow: bytesPerRow)
        }
    }
}

extension BMPHeader {
    /// The properties in the header.
    func properties(of format: ImageFormat, in data: Data) -> ImageProperties {
        let isIndexed = 1...8 ~= bitsPerPixel
        let usesMasks = bitsPerPixel == 16 || bitsPerPixel == 32
        return ImageProperties(
            format: format, pixelSize: size, hasAlpha: usesMasks && channels.hasAlpha,
            bitsPerChannel: isIndexed || !usesMasks ? 8 : channels.bitsPerChannel,
            iccProfileName: profileRange(in: data.count).flatMap { ColorProfile(bytes: data[in: $0]).name })
    }
}

extension ImageCoder where Self == BMPCoder {
    /// BMP, with alpha and embedded JPEG or PNG.
    public static var bmp: BMPCoder { BMPCoder() }
}
