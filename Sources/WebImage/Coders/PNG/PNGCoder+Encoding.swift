import FoundationEssentials

extension PNGCoder {
    /// Whether `format` is PNG.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .png }

    /// Writes every pixel as it is, in the smallest form that holds it: gray, a palette, RGB, each with alpha only where the
    /// picture may be translucent; 16 bits a channel where the bitmap has them. sRGB is taken for granted, as everybody does;
    /// high dynamic range gets a cICP chunk. An animation is written with all its frames; what came as an APNG file and is to
    /// have quality 1 is that file.
    ///
    /// - Throws: ``WebImageError/Code/encodeFailed``: another format, no memory.
    public func encode(
        _ image: Image, to format: ImageFormat, options: ImageEncodeOptions
    ) throws(WebImageError) -> Data {
        guard canEncode(format) else { throw .notEncoded(format, "the PNG coder was asked for it") }
        if let file = image.untouchedFile(for: format, options: options) { return file }
        if let animation = image.animation, !options.encodesFirstFrameOnly {
            var compressor = APNGCompressor(OutgoingFrames(animation, options: options))
            return try compressor.encode()
        }
        let bitmap = try image.bitmap.limited(by: options)
        if bitmap.format.depth == .eight {
            return try bitmap.withStraightPixels { base, bytesPerRow throws(WebImageError) in
                let pixels = UnsafeRawBufferPointer(start: base, count: bytesPerRow * bitmap.size.height)
                return try PNGCompressor.compress(pixels, of: bitmap, PNGForm(pixels, of: bitmap))
            }
        }
        return try bitmap.withDeepStraightPixels { channels throws(WebImageError) in
            let pixels = UnsafeRawBufferPointer(channels)
            return try PNGCompressor.compress(pixels, of: bitmap, PNGForm(pixels, of: bitmap))
        }
    }
}
