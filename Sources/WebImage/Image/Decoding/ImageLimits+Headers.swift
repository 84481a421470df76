extension ImageLimits {
    /// For reading what a file says of its picture: a size that is only reported costs no memory, but every frame does.
    package static let forHeaders: ImageLimits = {
        var limits = ImageLimits()
        limits.maximumPixelCount = .max
        limits.maximumSourcePixelCount = .max
        return limits
    }()

    /// Checks only what the header claims, for readers that do not know yet how much of it will be held.
    package func check(_ format: ImageFormat, source: PixelSize) throws(WebImageError) {
        try check(format, source: source, held: PixelSize(width: 0, height: 0))
    }
}
