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
        let opacity = format.isPremultiplied ? Double(alpha) / 255 : 1
        let straight = [red, green, blue].map { Double($0) / 255 * opacity } + [Double(alpha) / 255]
        switch format.depth {
        case .eight: return straight.map { UInt8(($0 * 255).rounded()) }
        case .sixteen:
            return straight.flatMap { channel in
                withUnsafeBytes(of: UInt16((channel * 65_535).rounded())) { Array($0) }
            }
        }
    }
}
