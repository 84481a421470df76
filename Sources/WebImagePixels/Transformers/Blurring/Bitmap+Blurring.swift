import WebImageCore

extension Bitmap {
    /// The pixels blurred by a Gaussian; their edges are extended. The bitmap itself for a deviation of 0 or less.
    ///
    /// Uses all processors; blocks; any thread.
    /// - Parameters:
    ///   - radius: The standard deviation in pixels. More than 65,536 counts as that.
    ///   - cancellation: Ends the work soon after it is raised; nil, the default, for work that is done to its end.
    /// - Throws: ``WebImageError/Code/invalidOperation`` when the radius is NaN, ``WebImageError/Code/limitExceeded``
    ///   when there is no memory, ``WebImageError/Code/cancelled``.
    public func blurred(radius: Double, cancellation: CancellationFlag? = nil) throws(WebImageError) -> Bitmap {
        guard !radius.isNaN else { throw .invalidOperation("the radius of a blur must be a number of pixels") }
        guard radius > Self.leastBlurRadius else { return self }
        return try withPremultipliedPixels { bitmap throws(WebImageError) in
            let blur = GaussianBlur(
                bitmap, deviation: min(radius, Self.largestBlurRadius), cancellation: cancellation)
            return try bitmap.mapped(
                stripHeight: blur.stripHeight, unless: cancellation
            ) { source, strip throws(WebImageError) in
                try blur.fill(strip, from: source)
            }
        }
    }

    /// Below, a neighbour's weight is less than 1 of 10,000.
    static let leastBlurRadius = 0.2
    static let largestBlurRadius = 65_536.0
}
