import WebImageCore

extension Image {
    /// The picture with rounded corners, transparent outside of them, and a border. The result is a still picture in
    /// memory with the same ``scale`` and size.
    ///
    /// The picture is clipped `borderWidth` from its edge. The centre line of the border lies half a pixel further in,
    /// as in SDWebImage, so that a border with an odd number of pixels is sharp. Edges are antialiased by the exact
    /// area of each pixel.
    ///
    /// Pixels keep their 16 bits a channel, or half floats. Blocks; any thread.
    /// - Parameters:
    ///   - radius: The radius of the corners, in points. The maximum is half of the shorter side: a large radius makes
    ///     a square picture a circle.
    ///   - corners: The corners to round; the others stay square.
    ///   - borderWidth: In points. Half of the shorter side or more leaves nothing of the picture.
    ///   - borderColor: Nil draws no border, and leaves its area transparent.
    /// - Returns: Nil when a length is negative, infinite or NaN, or there is no memory.
    public func roundedCorners(
        radius: Double, corners: RectCorner = .allCorners, borderWidth: Double = 0, borderColor: RGBAColor? = nil
    ) -> Image? {
        guard radius >= 0, radius.isFinite, borderWidth >= 0, borderWidth.isFinite else { return nil }
        let (radius, width) = (radius * scale, borderWidth * scale)
        guard width < Double(min(pixelSize.width, pixelSize.height)) / 2,
            let shape = RoundedRectangle(inset: width, in: pixelSize, radius: radius, corners: corners)
        else { return (try? bitmap.cleared()).map(still) }
        guard width > 0 || shape.hasArcs else { return still(bitmap) }
        let border = borderColor.flatMap {
            RoundedBorder(width: width, radius: radius, corners: corners, color: $0, size: pixelSize)
        }
        return (try? bitmap.clipped(to: shape, border: border)).map(still)
    }
}
