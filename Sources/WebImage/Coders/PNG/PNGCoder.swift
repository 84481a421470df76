import FoundationEssentials

/// PNG by libpng: all colour types and depths, interlaced or not. Of an APNG it shows the default image.
///
/// A picture that is not interlaced is decoded row by row, so that a thumbnail never has the whole of it in memory.
public struct PNGCoder: ImageCoder {
    /// A coder without state.
    public init() {}

    /// Whether the bytes begin with PNG's signature.
    public func canDecode(_ data: Data) -> Bool { data.starts(with: PNGReader.signature) }

    /// Whether `format` is PNG.
    public func canDecode(_ format: ImageFormat) -> Bool { format == .png }

    /// Size, depth, alpha, orientation, profile, and an APNG's frames. A still picture's are known where its pixels
    /// begin (an orientation that stands after the pixels is seen in complete data only); an animation's need the
    /// whole file.
    public func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        do throws(WebImageError) {
            return try PNGReader.contents(of: data, isComplete: isComplete, limits: .forHeaders).properties
        } catch {
            guard !isComplete, error.code == .truncatedImageData else { throw error }
            return nil
        }
    }

    /// Decodes the default image; see ``ImageCoder/decode(_:options:)``.
    public func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        let contents = try PNGReader.contents(of: data, isComplete: true, limits: options.limits)
        let geometry = ThumbnailGeometry(
            storedSourceSize: contents.header.size, orientation: contents.orientation, frameCount: contents.frameCount,
            options: options)
        try check(contents.header, geometry: geometry, limits: options.limits)
        let bitmap = try decodePixels(data, contents: contents, geometry: geometry, options: options)
        return geometry.makeImage(
            bitmap, of: .png, frameCount: contents.frameCount, loopCount: contents.loopCount,
            options: options)
    }

    /// Whether `format` is PNG.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .png }

    /// Writes RGB, or RGBA where the picture may be translucent; sRGB is taken for granted, as everybody does.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the PNG coder was asked for it") }
        let bitmap = try image.bitmap.limited(by: options)
        let compressor = try PNGCompressor()
        try compressor.start(size: bitmap.size, hasAlpha: !bitmap.isOpaque)
        try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
            try compressor.write(base, bytesPerRow: bytesPerRow, count: bitmap.size.height)
        }
        return try compressor.finish()
    }
}

extension PNGCoder {
    private func check(
        _ header: PNGHeader, geometry: ThumbnailGeometry, limits: ImageLimits
    ) throws(WebImageError) {
        try limits.check(source: header.size, held: header.isInterlaced ? header.size : geometry.outputSize)
        guard max(header.size.width, header.size.height) <= PNGHeader.maximumSide else {
            throw WebImageError(
                .limitExceeded, stage: .decode, kind: .policy,
                reason: "the picture is \(header.size) pixels and PNG is decoded up to \(PNGHeader.maximumSide) a side")
        }
    }

    private func decodePixels(
        _ data: Data, contents: PNGContents, geometry: ThumbnailGeometry, options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        let source = PixelSource(
            size: contents.header.size, isOpaque: !contents.hasAlpha,
            profile: options.convertsToSRGB ? contents.colorProfile : nil)
        let assembler = PixelAssembler(source: source, geometry: geometry, options: options)
        return try data.bytes.withUnsafeBytes { bytes throws(WebImageError) in
            let decompressor = try PNGDecompressor(bytes)
            try decompressor.start(expecting: source.size)
            let bitmap =
                contents.header.isInterlaced
                ? try decodeInterlaced(decompressor, into: assembler, height: source.size.height, options: options)
                : try decodeRows(decompressor, into: assembler)
            try decompressor.finish()
            return bitmap
        }
    }

    private func decodeRows(
        _ decompressor: borrowing PNGDecompressor, into assembler: PixelAssembler
    ) throws(WebImageError) -> Bitmap {
        try assembler.assembleRows { rows throws(WebImageError) in
            while rows.remaining > 0 {
                try rows.withNext { row throws(WebImageError) in try decompressor.readRow(into: row) }
            }
        }
    }

    private func decodeInterlaced(
        _ decompressor: borrowing PNGDecompressor, into assembler: PixelAssembler, height: Int,
        options: ImageDecodeOptions
    ) throws(WebImageError) -> Bitmap {
        try assembler.assemblePicture { base, bytesPerRow throws(WebImageError) in
            try decompressor.readPasses(into: base, bytesPerRow: bytesPerRow, height: height) {
                () throws(WebImageError) in try options.checkCancellation()
            }
        }
    }
}
