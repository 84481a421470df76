extension PixelSize {
    /// The size that pictures for views of this size are decoded at. Sides are rounded up to sixteen sizes per doubling, so
    /// that views of similar sizes share one decode, and a view that is being resized does not decode for every pixel.
    package var roundedUpForDecoding: PixelSize {
        PixelSize(width: Self.roundedUp(width), height: Self.roundedUp(height))
    }

    /// The minimum side: a smaller decode saves nothing.
    private static let smallestSide = 16
    private static let stepsPerDoubling = 16

    private static func roundedUp(_ side: Int) -> Int {
        let pixels = max(smallestSide, side)
        let octave = 1 << (Int.bitWidth - 1 - pixels.leadingZeroBitCount)
        let step = max(1, octave / stepsPerDoubling)
        return (pixels + step - 1) / step * step
    }
}
