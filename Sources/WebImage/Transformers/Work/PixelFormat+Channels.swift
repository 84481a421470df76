import CPixels

extension PixelFormat {
    /// The type of a channel for the loops over pixels.
    var channelType: webimage_channel_type {
        switch depth {
        case .eight: webimage_bytes
        case .sixteen: webimage_words
        }
    }

    /// The number that stands for 1.
    var maximum: Float { depth == .eight ? 255 : 65_535 }
}
