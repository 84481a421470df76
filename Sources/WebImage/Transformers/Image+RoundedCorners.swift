extension Image {
    /// The picture with rounded corners, transparent outside of them, and a border. A still picture, made in memory;
    /// ``scale`` and size are kept.
    ///
    /// The picture is clipped `borderWidth` from its edge. The border's middle lies half a pixel further in, as in
    /// SDWebImage, so a border as wide as an odd number of pixels is sharp. Edges are smoothed by the exact area that is
    /// covered of each pixel.
    ///
    /// Pixels of 16 bits a channel become such of 8. Blocks for as long as it takes; any thread.
    /// - Parameters:
    ///   - radius: Of the corners, in points. More than half of the shorter side counts as half: a large radius makes a
    ///     square picture a circle.
    ///   - corners: The corners to round; the others stay sharp.
    ///   - borderWidth: In points. Half of the shorter side or more leaves nothing of the picture.
    ///   - borderColor: Nil draws no border, and leaves its room empty.
    /// - Returns: Nil when a length is negative, infinite or not a number, or memory runs out.
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
        return (try? bitmap.inEightBits().clipped(to: shape, border: border)).map(still)
    }
}
