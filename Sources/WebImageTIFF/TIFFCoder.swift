import CTIFF
import FoundationEssentials
import WebImage

/// TIFF and BigTIFF by libtiff, in all compressions that it was built with.
///
/// Strips and tiles, samples together or in planes, 1 to 32 bits and floats, grey, RGB, palettes, CMYK, CIE L\*a\*b\*,
/// YCbCr, alpha of either kind. A file of several pages shows the first; how many there are stands in
/// ``ImageProperties/frameCount``. Samples of more than 8 bits are reduced; floats are taken for 0 to 1.
///
/// ```swift
/// ImageCodersManager.shared.add(TIFFCoder())
/// ```
public struct TIFFCoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with the signature of TIFF or BigTIFF.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(4)) == .tiff }

    /// Whether `format` is TIFF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .tiff }

    /// Size, depth, alpha, orientation and profile of the first page, and the number of pages. A directory may stand
    /// anywhere, so that nothing is known before the whole file is there.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        guard isComplete else { return nil }
        let pageCount = try TIFFDirectories(data).count(maximum: ImageLimits().maximumFrameCount)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let reader = try TIFFReader(bytes, limits: ImageLimits())
            return try TIFFPicture(reader).properties(frameCount: pageCount)
        }
    }

    /// Decodes the first page; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        _ = try TIFFDirectories(data)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let reader = try TIFFReader(bytes, limits: options.limits)
            let picture = try TIFFPicture(reader)
            let geometry = ThumbnailGeometry(
                storedSourceSize: picture.size, orientation: picture.orientation, options: options)
            let bitmap = try decode(picture, with: reader, geometry: geometry, options: options)
            return geometry.makeImage(bitmap, of: .tiff, options: options)
        }
    }

    /// Whether `format` is TIFF.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .tiff }

    /// Writes one page of RGB, or RGBA where the picture may be translucent, deflated with differences to the left.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the TIFF coder was asked for it") }
        let bitmap = try image.bitmap.limited(by: options)
        let writer = try TIFFWriter(size: bitmap.size, hasAlpha: !bitmap.isOpaque)
        try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            for y in 0..<bitmap.size.height { try writer.write(base + y * bytesPerRow, row: y) }
        }
        return try writer.finish()
    }
}

extension TIFFCoder {
    private func decode(
        _ picture: TIFFPicture, with reader: borrowing TIFFReader, geometry: ThumbnailGeometry,
        options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        let header = reader.header
        let needsBlocks = TIFFBlocks.areNeeded(for: picture, header: header)
        try options.limits.check(.tiff, source: picture.size, held: geometry.outputSize)
        if needsBlocks {
            try options.limits.check(.tiff, source: picture.size, held: TIFFBlocks.heldSize(picture, header: header))
        }
        let source = picture.source(profile: options.convertsToSRGB ? picture.profile : nil)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assembleRows { rows throws(WebImageError) in
            if needsBlocks {
                try TIFFBlocks(picture, header: header).decode(reader, into: rows, options: options)
            } else {
                try decodeRows(of: picture, with: reader, into: rows)
            }
        }
    }

    private func decodeRows(
        of picture: TIFFPicture, with reader: borrowing TIFFReader, into rows: PixelRows
    ) throws(WebImageError) {
        guard let samples = PixelBuffer(byteCount: Int(clamping: reader.header.row_byte_count)) else {
            throw .outOfMemory(for: picture.size)
        }
        let unpacker = TIFFRowUnpacker(picture, header: reader.header)
        for y in 0..<picture.size.height {
            try reader.readRow(y, into: samples)
            try rows.withNext { row in
                unpacker.unpack(samples.base, planeByteCount: 0, to: row, count: picture.size.width)
            }
        }
    }
}
