import CPixels

extension Bitmap {
    /// The same picture from or to floating-point numbers; see ``converted(to:)``.
    func convertedByFloats(to format: PixelFormat) throws(WebImageError) -> Bitmap {
        switch (self.format.isFloatingPoint, format.isFloatingPoint) {
        case (true, true): return try repacked(as: format)
        case (true, false): return try repacked(as: self.format.integers).converted(to: format)
        case (false, _): return try converted(to: format.integers).repacked(as: format)
        }
    }

    /// The same colours, in the same colour space, with other channels.
    func repacked(as format: PixelFormat) throws(WebImageError) -> Bitmap {
        let length = Int(WEBIMAGE_BLOCK_LENGTH)
        let size = PixelSize(width: length, height: 1)
        guard let block = PixelBuffer(byteCount: length * 16) else { throw .outOfMemory(for: size) }
        let floats = UnsafeMutableRawPointer(block.base).assumingMemoryBound(to: Float.self)
        return try Bitmap(size: self.size, format: format, colorSpace: colorSpace) { base, _ in
            withUnsafeBytes { bytes in
                guard let source = bytes.baseAddress else { return }
                for first in stride(from: 0, to: self.size.area, by: length) {
                    let count = min(length, self.size.area - first)
                    webimage_load_block(
                        source + first * self.format.bytesPerPixel, self.format.channelType, count, floats)
                    if self.format.isPremultiplied && !format.isPremultiplied {
                        webimage_block_unpremultiply(floats, count)
                    } else if !self.format.isPremultiplied && format.isPremultiplied {
                        webimage_block_premultiply(floats, count)
                    }
                    webimage_store_block(floats, format.channelType, count, base + first * format.bytesPerPixel)
                }
            }
            return isOpaque
        }
    }
}
