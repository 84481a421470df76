extension ImageLimits {
    /// For reading what a header says: a number that is only reported costs no memory.
    static let unlimited: ImageLimits = {
        var limits = ImageLimits()
        limits.maximumPixelCount = .max
        limits.maximumSourcePixelCount = .max
        limits.maximumByteCount = .max
        limits.maximumFrameCount = .max
        return limits
    }()

    /// Checks only what the header claims, for readers that do not know yet how much of it will be held.
    func check(source: PixelSize) throws(WebImageError) {
        try check(source: source, held: PixelSize(width: 0, height: 0))
    }
}
