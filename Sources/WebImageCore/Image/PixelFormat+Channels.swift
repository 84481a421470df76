import CPixels

extension PixelFormat {
    /// The type of a channel for the loops over pixels.
    package var channelType: webimage_channel_type {
        if isFloatingPoint { return webimage_halves }
        return depth == .eight ? webimage_bytes : webimage_words
    }

    /// The number that stands for 1.
    package var maximum: Float { isFloatingPoint ? 1 : depth == .eight ? 255 : 65_535 }

    /// Whether every alpha is at its maximum.
    package func isOpaque(_ row: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard isFloatingPoint else { return depth.isOpaque(row, count: count) }
        var pixel = [Float](repeating: 0, count: 4)
        return (0..<count).allSatisfy { index in
            webimage_load_floats(row + index * bytesPerPixel, channelType, &pixel, 1)
            return pixel[3] >= 1
        }
    }
}
