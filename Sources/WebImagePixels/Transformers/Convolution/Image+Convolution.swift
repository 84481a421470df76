import WebImageCore

extension Image {
    /// The picture made from neighbouring pixels by a kernel; see ``Bitmap/convolved(with:cancellation:)``. The result is a still
    /// picture in memory with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Parameter cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Returns: Nil when there is no memory, or the work is cancelled.
    public func convolved(with kernel: ConvolutionKernel, cancellation: CancellationFlag? = nil) -> Image? {
        (try? bitmap.convolved(with: kernel, cancellation: cancellation)).map(still)
    }

    /// The picture with stronger edges: an unsharp mask. The result is a still picture in memory with the same ``scale``
    /// and size.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - radius: The standard deviation of the blur in points.
    ///   - amount: The factor for the difference to the blurred picture.
    ///   - threshold: The smallest difference of a channel that counts, 0 to 1.
    ///   - cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Returns: Nil when a number is NaN, there is no memory, or the work is cancelled.
    public func sharpened(
        radius: Double = 1, amount: Double = 0.5, threshold: Double = 0, cancellation: CancellationFlag? = nil
    ) -> Image? {
        let sharpened = try? bitmap.sharpened(
            radius: radius * scale, amount: amount, threshold: threshold, cancellation: cancellation)
        return sharpened.map(still)
    }
}
