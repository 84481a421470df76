import WebImageCore

extension Image {
    /// The picture blurred by a Gaussian; its edges are extended. The result is a still picture in memory with the same
    /// ``scale`` and size; the picture itself for a radius of 0 or less.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - radius: The standard deviation in points.
    ///   - cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Returns: Nil when the radius is NaN, there is no memory, or the work is cancelled.
    public func blurred(radius: Double, cancellation: CancellationFlag? = nil) -> Image? {
        guard !(radius <= 0) else { return self }
        return (try? bitmap.blurred(radius: radius * scale, cancellation: cancellation)).map(still)
    }
}
