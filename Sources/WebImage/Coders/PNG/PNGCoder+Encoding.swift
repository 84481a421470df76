import FoundationEssentials

extension PNGCoder: AnimationEncoder {
    package var isLossy: Bool { false }

    /// Whether `format` is PNG.
    ///
    /// Every pixel is written as it is, in the smallest form that holds it: gray, a palette, RGB, each with alpha only where
    /// the picture may be translucent; 16 bits a channel where the bitmap has them. sRGB is taken for granted, as everybody
    /// does; high dynamic range gets a cICP chunk. An animation is written with all its frames in 8 bits, and durations in
    /// milliseconds.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .png }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        guard frames.count == 1 else {
            var compressor = APNGCompressor(frames)
            return try compressor.encode()
        }
        let bitmap = try frames.deepBitmap(at: 0)
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
