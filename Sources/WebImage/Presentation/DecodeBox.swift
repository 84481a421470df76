/// The box in pixels that a view's picture is decoded to fit: what the view shows, and a little more.
///
/// Its sides are rounded up to sixteen sizes per doubling, so that views that nearly agree share one decode, and one that
/// is being resized does not decode anew for every pixel.
package struct DecodeBox: Sendable, Hashable {
    /// Width and height in pixels.
    package let size: PixelSize

    /// The smallest side: below it there is nothing to be saved.
    private static let smallestSide = 16
    private static let stepsPerDoubling = 16

    /// The box for a view of `viewSize` points.
    ///
    /// - Parameter scaleFactor: Pixels per point of the screen.
    /// - Returns: nil for a view without a size.
    package init?(viewSize: PointSize, scaleFactor: Double, fit: ContentFit) {
        guard !viewSize.isEmpty, scaleFactor > 0 else { return nil }
        let width = viewSize.width * scaleFactor
        let height = viewSize.height * scaleFactor
        switch fit {
        case .contain, .scaleDown:
            size = PixelSize(width: Self.roundedUp(width), height: Self.roundedUp(height))
        case .cover, .fill:
            // Nobody knows the picture's proportions yet. A quarter more than the longer side covers the common ones
            // within a few percent; beyond a third, cairo takes six times as long to draw it, in every frame.
            let side = Self.roundedUp(max(width, height) * 1.25)
            size = PixelSize(width: side, height: side)
        }
    }

    /// Whether a picture decoded for this box is as sharp as a view that asks for `wanted` can show it. A view that
    /// shrinks asks for nothing.
    package func suffices(for wanted: DecodeBox) -> Bool {
        size.width >= wanted.size.width && size.height >= wanted.size.height
    }

    /// Whether a picture is as large as the box allows, so that there may be more of it: a reduced one that comes from a
    /// file of its own does not know that it is one.
    package func isReached(by picture: PixelSize) -> Bool {
        picture.width >= size.width - 1 || picture.height >= size.height - 1
    }

    /// The box that suffices for both, so that a view that grows by turns in one and in the other direction settles.
    package func union(_ other: DecodeBox) -> DecodeBox {
        DecodeBox(
            size: PixelSize(
                width: max(size.width, other.size.width), height: max(size.height, other.size.height)))
    }

    private init(size: PixelSize) { self.size = size }

    private static func roundedUp(_ side: Double) -> Int {
        // No picture is as large as that, and the conversion would not survive what is larger still.
        let pixels = max(smallestSide, Int(min(side, 1e6).rounded(.up)))
        let octave = 1 << (Int.bitWidth - 1 - pixels.leadingZeroBitCount)
        let step = max(1, octave / stepsPerDoubling)
        return (pixels + step - 1) / step * step
    }
}
