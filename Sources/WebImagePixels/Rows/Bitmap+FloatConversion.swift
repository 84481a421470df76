import CPixels
import WebImageCore

extension Bitmap {
    /// The same picture from or to floating-point numbers; see ``converted(to:in:)``.
    func convertedByFloats(to format: PixelFormat, in target: ColorSpace) throws(WebImageError) -> Bitmap {
        let changesColors = colorSpace.codedColors != target.codedColors
        switch (self.format.isFloatingPoint, format.isFloatingPoint) {
        case (true, true) where !changesColors: return try repacked(as: format)
        case (true, _): return try repacked(as: self.format.integers).converted(to: format, in: target)
        case (false, _): return try converted(to: format.integers, in: target).repacked(as: format)
        }
    }

    /// The same colours, in the same colour space, with other channels.
    func repacked(as format: PixelFormat) throws(WebImageError) -> Bitmap {
        let (own, isOpaque) = (self.format, isOpaque)
        return try mapped(as: format) { source, strip throws(WebImageError) in
            guard let block = PixelBuffer(byteCount: Self.blockLength * 16) else { throw .outOfMemory(for: size) }
            let floats = UnsafeMutableRawPointer(block.base).assumingMemoryBound(to: Float.self)
            for y in strip.rows {
                for x in stride(from: 0, to: size.width, by: Self.blockLength) {
                    let count = min(Self.blockLength, size.width - x)
                    webimage_load_block(source.row(y) + x * own.bytesPerPixel, own.channelType, count, floats)
                    if own.isPremultiplied && !format.isPremultiplied {
                        webimage_block_unpremultiply(floats, count)
                    } else if !own.isPremultiplied && format.isPremultiplied {
                        webimage_block_premultiply(floats, count)
                    }
                    webimage_store_block(floats, format.channelType, count, strip.row(y) + x * format.bytesPerPixel)
                }
            }
            return isOpaque
        }
    }

    private static let blockLength = Int(WEBIMAGE_BLOCK_LENGTH)
}
