import WebImageCore

extension Image {
    /// The picture blurred by a Gaussian; its edges are extended. The result is a still picture in memory with the same
    /// ``scale`` and size; the picture itself for a radius of 0 or less.
    ///
    /// Blocks; any thread.
    /// - Parameter radius: The standard deviation in points.
    /// - Returns: Nil when the radius is NaN, or there is no memory.
    public func blurred(radius: Double) -> Image? {
        guard !(radius <= 0) else { return self }
        return (try? bitmap.blurred(radius: radius * scale)).map(still)
    }
}
