import WebImageCore

extension Image {
    /// The picture turned about its centre; transparent where there is nothing. The result is a still picture in memory
    /// with the same ``scale``.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - angle: In radians, counter-clockwise.
    ///   - fitsSize: Whether the result grows until it has all of the picture. Otherwise it has the same size, and
    ///     corners are cut.
    /// - Returns: Nil when the angle is infinite or NaN, the result has more pixels than the default
    ///   ``ImageLimits/maximumPixelCount``, or there is no memory.
    public func rotated(by angle: Double, fitsSize: Bool = true) -> Image? {
        (try? bitmap.rotated(by: angle, fitsSize: fitsSize)).map(still)
    }
}
