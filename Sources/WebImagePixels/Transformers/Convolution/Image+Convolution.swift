import WebImageCore

extension Image {
    /// The picture made from neighbouring pixels by a kernel; see ``Bitmap/convolved(with:)``. The result is a still
    /// picture in memory with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Returns: Nil when there is no memory.
    public func convolved(with kernel: ConvolutionKernel) -> Image? {
        (try? bitmap.convolved(with: kernel)).map(still)
    }

    /// The picture with stronger edges: an unsharp mask. The result is a still picture in memory with the same ``scale``
    /// and size.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - radius: The standard deviation of the blur in points.
    ///   - amount: The factor for the difference to the blurred picture.
    ///   - threshold: The smallest difference of a channel that counts, 0 to 1.
    /// - Returns: Nil when a number is NaN, or there is no memory.
    public func sharpened(radius: Double = 1, amount: Double = 0.5, threshold: Double = 0) -> Image? {
        (try? bitmap.sharpened(radius: radius * scale, amount: amount, threshold: threshold)).map(still)
    }
}
