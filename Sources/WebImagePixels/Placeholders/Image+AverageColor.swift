import WebImageCore

extension Image {
    /// The mean colour, in linear light as the eye mixes colours from afar, each pixel weighted by its alpha, and the mean
    /// alpha; of an animation, that of its first frame. Nil when there is no memory.
    ///
    /// A picture with a side above 100 pixels is reduced first. Blocks; any thread.
    public var averageColor: RGBAColor? {
        guard let mean = try? bitmap.samples(within: PlaceholderSizes.largestSource).meanLight else { return nil }
        return RGBAColor(
            red: SRGBCodes.code(mean.color.x), green: SRGBCodes.code(mean.color.y), blue: SRGBCodes.code(mean.color.z),
            alpha: UInt8((mean.alpha * 255).rounded()))
    }

    /// The colours that most of the picture has, the most frequent one first; of an animation, those of its first frame.
    ///
    /// Colours that the eye can hardly tell apart are one, so that there may be fewer than `count`. The same pixels always
    /// have the same result. A picture with a side above 64 pixels is reduced first. Blocks for about a millisecond; any
    /// thread.
    /// - Parameter count: The most colours, 1 to 32; larger numbers count as 32, and with smaller ones there are none.
    /// - Returns: Opaque colours with their shares; none for a picture that is transparent everywhere, and when there is no
    ///   memory.
    public func dominantColors(count: Int = 5) -> [DominantColor] {
        guard count > 0, let samples = try? bitmap.samples(within: 64) else { return [] }
        return ColorClusters(samples, count: min(count, 32)).colors
    }
}
