import WebImageCore

/// A line of constant width along a ``RoundedRectangle``, in pixels.
struct RoundedBorder: Sendable, Hashable {
    let outer: RoundedRectangle
    /// Nil where the line is so wide that it leaves no hole.
    let inner: RoundedRectangle?
    let color: RGBAColor

    /// A border around a picture that is clipped `width` pixels from its edge with corners of `radius`.
    ///
    /// As in SDWebImage, the centre line lies half a pixel inside of the clip, ⌊width⌋ + ½ from the picture's edge, so
    /// that lines with an odd number of pixels are sharp. The radius of its corners is half a pixel smaller than the
    /// clip's.
    init?(width: Double, radius: Double, corners: RectCorner, color: RGBAColor, size: PixelSize) {
        let inset = width.rounded(.down) + 0.5
        let shorterHalf = Double(min(size.width, size.height)) / 2
        guard width > 0, color.alpha > 0, inset <= shorterHalf else { return nil }
        let middle = min(max(0, radius - 0.5), shorterHalf - inset)
        // A corner without an arc has a mitre; one with an arc has a larger outer arc.
        let outerRadius = middle > 0 ? middle + width / 2 : 0
        guard
            let outer = RoundedRectangle(
                inset: inset - width / 2, in: size, radius: outerRadius, corners: corners)
        else { return nil }
        self.outer = outer
        inner = RoundedRectangle(
            inset: inset + width / 2, in: size, radius: max(0, middle - width / 2), corners: corners)
        self.color = color
    }

    /// The rows that the line crosses in the same way.
    var alikeRows: Range<Int> { inner.map { outer.alikeRows.clamped(to: $0.alikeRows) } ?? outer.alikeRows }
}
