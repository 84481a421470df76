import CTIFF
import FoundationEssentials
import WebImageCoders
import WebImageCore
import WebImagePixels

/// TIFF and BigTIFF by libtiff, in all compressions that it was built with.
///
/// Strips and tiles, interleaved and planar, 1 to 32 bits and floats, grey, RGB, palettes, CMYK, CIE L\*a\*b\*, YCbCr,
/// and both kinds of alpha. For a file of several pages, ``ImageDecodeOptions/pageIndex`` selects the page, and
/// ``ImageProperties/frameCount`` is the number of pages. Grey and RGB of more than 8 bits keep their depth where the
/// options ask for it; floats are taken to be within 0 to 1.
///
/// ```swift
/// ImageCodersManager.shared.add(.tiff)
/// ```
public struct TIFFCoder: ImageCoder, BundledCoder, Hashable {
    /// A coder without state.
    package init() {}

    /// Whether the bytes begin with the signature of TIFF or BigTIFF.
    public func canDecode(_ data: Data) -> Bool { ImageFormat(sniffing: data.prefix(4)) == .tiff }

    /// Whether `format` is TIFF.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .tiff }

    /// Whether `format` is TIFF.
    public func decodesRows(of format: ImageFormat) -> Bool { format == .tiff }

    /// Size, depth, alpha, orientation and profile of the first page, and the number of pages. Directories may be
    /// anywhere in the file, so nothing is known before the file is complete.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        try properties(of: data, isComplete: isComplete, options: ImageDecodeOptions())
    }

    /// The same within the limits of `options`.
    ///
    /// - Throws: Also ``WebImageError/Code/limitExceeded`` for more pages than ``ImageLimits/maximumFrameCount``.
    public func properties(
        of data: Data, isComplete: Bool, options: ImageDecodeOptions
    ) throws(WebImageError) -> ImageProperties? {
        guard isComplete else { return nil }
        let pageCount = try TIFFDirectories(data).count(options)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let reader = try TIFFReader(bytes, limits: options.limits)
            return try TIFFPicture(reader).properties(frameCount: pageCount)
        }
    }

    /// Decodes a page; see ``ImageCoder/decode(_:options:)``.
    ///
    /// - Throws: Also ``WebImageError/Code/badImageData`` for a page that does not exist.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let directories = try TIFFDirectories(data)
        // To find a page, libtiff takes time quadratic in its index.
        let place = options.pageIndex == 0 ? nil : try directories.place(of: options)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let reader = try TIFFReader(bytes, place: place, limits: options.limits)
            let picture = try TIFFPicture(reader)
            let geometry = ThumbnailGeometry(
                storedSourceSize: picture.size, orientation: picture.orientation, options: options)
            let bitmap = try decode(picture, with: reader, geometry: geometry, options: options)
            return geometry.makeImage(bitmap, of: .tiff, options: options)
        }
    }

    /// Whether `format` is TIFF.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .tiff }

    /// Writes one page of RGB, or RGBA where the picture may be translucent, with the compression in the options, and
    /// 16 bits a channel where the bitmap has them. Wide gamut is converted to sRGB, and high dynamic range is tone-mapped
    /// to it with 8 bits, since the file does not describe them.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        try requireEncoder(of: format)
        let limited = try image.bitmap.limited(by: options)
        let depth = limited.colorSpace.isHighDynamicRange ? .eight : limited.format.depth
        let bitmap = try limited.converted(to: limited.format.with(depth))
        let writer = try TIFFWriter(
            size: bitmap.size, hasAlpha: !bitmap.isOpaque, depth: depth, compression: options.tiffCompression)
        switch depth {
        case .eight:
            try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
                for y in 0..<bitmap.size.height { try writer.write(base + y * bytesPerRow, row: y) }
            }
        case .sixteen:
            try bitmap.withDeepStraightPixels { channels throws(WebImageError) in
                try writer.write(UnsafeRawBufferPointer(channels))
            }
        }
        return try writer.finish()
    }
}

extension TIFFCoder {
    /// Decodes the pixels of a page.
    func decode(
        _ picture: TIFFPicture, with reader: borrowing TIFFReader, geometry: ThumbnailGeometry,
        options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        let header = reader.header
        let depth = picture.depth(options)
        let needsBlocks = TIFFBlocks.areNeeded(for: picture, header: header)
        // A receiver takes the rows one by one.
        let held = options.rowReceiver == nil ? geometry.outputSize : PixelSize(width: picture.size.width, height: 1)
        try options.limits.check(.tiff, source: picture.size, held: held)
        if needsBlocks {
            try options.limits.check(
                .tiff, source: picture.size, held: TIFFBlocks.heldSize(picture, header: header, depth: depth))
        }
        let source = picture.source(depth, profile: options.convertsToSRGB ? picture.profile : nil)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try assembler.assembleRows { rows throws(WebImageError) in
            if needsBlocks {
                try TIFFBlocks(picture, header: header, depth: depth).decode(reader, into: rows, options: options)
            } else {
                try decodeRows(of: picture, with: reader, depth: depth, into: rows)
            }
        }
    }

    private func decodeRows(
        of picture: TIFFPicture, with reader: borrowing TIFFReader, depth: PixelDepth, into rows: PixelRows
    ) throws(WebImageError) {
        guard let samples = PixelBuffer(byteCount: Int(clamping: reader.header.row_byte_count)) else {
            throw .outOfMemory(for: picture.size)
        }
        let unpacker = TIFFRowUnpacker(picture, header: reader.header, depth: depth)
        for y in 0..<picture.size.height {
            try reader.readRow(y, into: samples)
            try rows.withNext { row in
                unpacker.unpack(samples.base, planeByteCount: 0, to: row, count: picture.size.width)
            }
        }
    }
}

extension ImageCoder where Self == TIFFCoder {
    /// TIFF by libtiff, any page; add it to ``WebImage/ImageCodersManager``.
    public static var tiff: TIFFCoder { TIFFCoder() }
}
