import WebImageCore

extension Image {
    /// The picture with another one drawn over it, such as a logo or a watermark. The result is a still picture in memory
    /// with the same ``scale`` and size.
    ///
    /// Blocks; any thread.
    /// - Parameters:
    ///   - overlay: The picture to draw, pixel by pixel: its ``scale`` is ignored. What lies outside is cut off.
    ///   - placement: Its place.
    ///   - opacity: 0 to 1: the factor for its alpha.
    ///   - mode: The way in which it is drawn.
    /// - Returns: Nil when a number is infinite or NaN, or there is no memory.
    public func overlaid(
        with overlay: Image, at placement: OverlayPlacement = .center, opacity: Double = 1, mode: BlendMode = .normal
    ) -> Image? {
        guard opacity.isFinite, let origin = placement.origin(of: overlay.pixelSize, in: pixelSize, scale: scale) else {
            return nil
        }
        return
            (try? bitmap.overlaid(with: overlay.bitmap, x: origin.x, y: origin.y, opacity: opacity, mode: mode))
            .map(still)
    }
}
