import CPixels

extension Bitmap {
    /// Calls `body` with all pixels as straight RGBA, which is what files hold: the bitmap's own memory where they are
    /// straight or opaque, a converted copy otherwise.
    ///
    /// - Throws: What `body` throws, and ``WebImageError/Code/limitExceeded`` when there is no memory for the copy.
    package func withStraightPixels<Result>(
        _ body: (_ base: UnsafePointer<UInt8>, _ bytesPerRow: Int) throws(WebImageError) -> Result
    ) throws(WebImageError) -> Result {
        try withUnsafeBytes { bytes throws(WebImageError) in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                throw .outOfMemory(for: size)
            }
            guard format == .rgba8Premultiplied, !isOpaque else { return try body(base, bytesPerRow) }
            guard let copy = PixelBuffer(byteCount: bytes.count) else { throw .outOfMemory(for: size) }
            copy.base.update(from: base, count: bytes.count)
            webimage_unpremultiply(copy.base, bytes.count / format.bytesPerPixel)
            return try body(copy.base, bytesPerRow)
        }
    }
}
