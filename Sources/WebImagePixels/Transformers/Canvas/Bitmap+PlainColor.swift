import CPixels
import WebImageCore

extension Bitmap {
    /// Pixels of one colour.
    ///
    /// - Throws: ``WebImageError/Code/limitExceeded`` when there is no memory.
    package convenience init(
        size: PixelSize, color: RGBAColor, format: PixelFormat = .rgba8Premultiplied
    ) throws(WebImageError) {
        let channels = color.channels(of: format)
        try self.init(size: size, format: format) { base, _ in
            let bytesPerPixel = format.bytesPerPixel
            for index in 0..<size.area {
                channels.withUnsafeBytes { pixel in
                    if let address = pixel.baseAddress {
                        (base + index * bytesPerPixel).copyMemory(from: address, byteCount: bytesPerPixel)
                    }
                }
            }
            return color.alpha == 255
        }
    }
}

extension RGBAColor {
    /// The bytes of a pixel.
    fileprivate func channels(of format: PixelFormat) -> [UInt8] {
        let channels = format.isPremultiplied ? premultipliedFloats : [red, green, blue, alpha].map { Float($0) / 255 }
        var block = [Float](repeating: 0, count: 4 * Int(WEBIMAGE_BLOCK_LENGTH))
        webimage_block_fill(channels, 1, &block)
        var pixel = [UInt8](repeating: 0, count: format.bytesPerPixel)
        webimage_store_block(block, format.channelType, 1, &pixel)
        return pixel
    }
}
