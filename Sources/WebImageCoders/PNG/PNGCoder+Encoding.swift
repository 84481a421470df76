import FoundationEssentials
import WebImageCore
import WebImagePixels

extension PNGCoder: AnimationEncoder {
    package var isLossy: Bool { false }

    /// Whether `format` is PNG.
    ///
    /// Every pixel is written without loss, in the smallest form that holds it: gray, a palette or RGB, each with alpha
    /// only where the picture may be translucent, and 16 bits a channel where the bitmap has them. sRGB is not
    /// declared, because it is the default; Display P3 and high dynamic range get a cICP chunk. An animation is written
    /// with all its frames, with 8 bits and durations in milliseconds.
    public func canEncode(_ format: ImageFormat) -> Bool { format == .png }

    package func encode(_ frames: OutgoingFrames, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        guard frames.count == 1 else {
            try frames.checkMemory(.png) { $0.area * APNGCompressor.bytesPerPixel }
            var compressor = APNGCompressor(frames)
            return try compressor.encode()
        }
        let (depth, colorSpace) = frames.pixelKind
        let bitmap = try frames.bitmap(at: 0, depth: depth, colorSpace: colorSpace)
        if depth == .eight {
            return try bitmap.withStraightPixels(in: colorSpace) { base, bytesPerRow throws(WebImageError) in
                let pixels = UnsafeRawBufferPointer(start: base, count: bytesPerRow * bitmap.size.height)
                return try PNGCompressor.compress(
                    pixels, of: bitmap, PNGForm(pixels, of: bitmap), cancellation: options.cancellation)
            }
        }
        return try bitmap.withDeepStraightPixels { channels throws(WebImageError) in
            let pixels = UnsafeRawBufferPointer(channels)
            return try PNGCompressor.compress(
                pixels, of: bitmap, PNGForm(pixels, of: bitmap), cancellation: options.cancellation)
        }
    }
}
