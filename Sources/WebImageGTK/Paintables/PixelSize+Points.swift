import WebImage

extension PixelSize {
    /// - Parameter scale: Pixels per point; 1 where only proportions matter.
    func points(at scale: Double = 1) -> PointSize {
        PointSize(width: Double(width) / scale, height: Double(height) / scale)
    }
}

extension PointSize {
    /// The pixels that cover it.
    ///
    /// - Parameter scale: Pixels per point.
    func pixels(at scale: Double) -> PixelSize {
        PixelSize(width: Int((width * scale).rounded(.up)), height: Int((height * scale).rounded(.up)))
    }
}
