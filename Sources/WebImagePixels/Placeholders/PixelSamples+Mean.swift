extension PixelSamples {
    /// The mean in linear light, each pixel weighted by its alpha, and the mean of alpha, 0 to 1.
    var meanLight: (color: SIMD3<Double>, alpha: Double) {
        var (sum, alphas) = (SIMD3<Double>.zero, 0.0)
        for pixel in pixels where pixel.w > 0 {
            let alpha = Double(pixel.w) / 255
            sum += SRGBCodes.light(pixel) * alpha
            alphas += alpha
        }
        return (alphas > 0 ? sum / alphas : .zero, alphas / Double(pixels.count))
    }
}
