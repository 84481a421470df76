import CPixels
import WebImageCore

extension Bitmap {
    /// Calls `body` with all pixels as straight RGBA of 8 bits: the bitmap's own memory where it is straight or opaque,
    /// a converted copy otherwise.
    ///
    /// - Parameter target: sRGB for what supports no other colours, or else Display P3.
    /// - Throws: The errors of `body`, and ``WebImageError/Code/limitExceeded`` when there is no memory for the copy.
    package func withStraightPixels<Result>(
        in target: ColorSpace = .sRGB,
        _ body: (_ base: UnsafePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        guard format.depth == .eight, colorSpace.codedColors == target.codedColors else {
            return try converted(to: .rgba8Straight, in: target).withStraightPixels(in: target, body)
        }
        return try withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                throw .outOfMemory(for: size)
            }
            guard format.isPremultiplied, !isOpaque else { return try body(base, bytesPerRow) }
            guard let copy = PixelBuffer(byteCount: bytes.count) else { throw .outOfMemory(for: size) }
            copy.base.update(from: base, count: bytes.count)
            webimage_unpremultiply(copy.base, bytes.count / format.bytesPerPixel)
            return try body(copy.base, bytesPerRow)
        }
    }

    /// Calls `body` with all pixels as straight RGBA of 16 bits, in the bitmap's own colour space; for a bitmap of 8
    /// bits with a copy.
    ///
    /// - Throws: The errors of `body`, and ``WebImageError/Code/limitExceeded`` when there is no memory for a copy.
    package func withDeepStraightPixels<Result>(
        _ body: (_ channels: UnsafeBufferPointer<UInt16>) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        guard format.depth == .sixteen, !format.isFloatingPoint else {
            return try converted(to: .rgba16Straight, in: colorSpace).withDeepStraightPixels(body)
        }
        return try withUnsafeBytes { bytes throws(WebImageError) in
            guard format.isPremultiplied, !isOpaque, let base = bytes.baseAddress else {
                return try body(bytes.bindMemory(to: UInt16.self))
            }
            guard let copy = PixelBuffer(byteCount: bytes.count) else { throw .outOfMemory(for: size) }
            UnsafeMutableRawPointer(copy.base).copyMemory(from: base, byteCount: bytes.count)
            webimage_deep_unpremultiply(copy.base, size.area)
            let pixels = UnsafeRawBufferPointer(start: copy.base, count: bytes.count)
            return try body(pixels.bindMemory(to: UInt16.self))
        }
    }
}
