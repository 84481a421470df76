extension ImageLimits {
    /// For reading properties only: a size that is only reported needs no memory, but every frame does.
    package static let forHeaders: ImageLimits = {
        var limits = ImageLimits()
        limits.maximumPixelCount = .max
        limits.maximumSourcePixelCount = .max
        return limits
    }()

    /// The same with these limits' number of frames.
    package var forHeaders: ImageLimits {
        var limits = Self.forHeaders
        limits.maximumFrameCount = maximumFrameCount
        return limits
    }

    /// Checks the header's size only, for readers that do not know yet how much of it will be in memory.
    package func check(_ format: ImageFormat, source: PixelSize) throws(WebImageError) {
        try check(format, source: source, held: PixelSize(width: 0, height: 0))
    }
}
