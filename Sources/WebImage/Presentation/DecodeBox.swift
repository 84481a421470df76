/// The box in pixels that a view's picture is decoded for: what the view shows, and a little more.
///
/// Its sides are rounded up to sixteen sizes per doubling, so that views that nearly agree share one decode, and one that
/// is being resized does not decode anew for every pixel.
package struct DecodeBox: Sendable, Hashable {
    /// Width and height in pixels.
    package let size: PixelSize
    /// Whether the picture covers the box, because the view cuts off what hangs over; otherwise it fits into the box.
    package let isCovered: Bool
    /// What the view shows, to the pixel.
    private let shown: PixelSize

    /// The smallest side: below it there is nothing to be saved.
    private static let smallestSide = 16
    private static let stepsPerDoubling = 16
    /// Where only the other side counts, because the picture will give the view this one.
    private static let openSide = 1 << 16

    /// The box for a view of `viewSize` points. A side of 0 is not known: the picture is decoded for the other one, and
    /// gives the view that.
    ///
    /// - Parameter scaleFactor: Pixels per point of the screen.
    /// - Returns: nil for a view without a size.
    package init?(viewSize: PointSize, scaleFactor: Double, fit: ContentFit) {
        guard max(viewSize.width, viewSize.height) > 0, scaleFactor > 0 else { return nil }
        // Where the picture gives the view its other side, there is nothing to be covered.
        isCovered = (fit == .cover || fit == .fill) && !viewSize.isEmpty
        shown = PixelSize(
            width: Self.pixels(viewSize.width * scaleFactor) ?? Self.openSide,
            height: Self.pixels(viewSize.height * scaleFactor) ?? Self.openSide)
        size = PixelSize(width: Self.roundedUp(shown.width), height: Self.roundedUp(shown.height))
    }

    /// Whether a picture decoded for this box is as sharp as a view that asks for `wanted` can show it. A view that
    /// shrinks asks for nothing.
    package func suffices(for wanted: DecodeBox) -> Bool {
        (isCovered || !wanted.isCovered) && size.width >= wanted.size.width && size.height >= wanted.size.height
    }

    /// Whether a picture is as large as the box allows, so that there may be more of it: a reduced one that comes from a
    /// file of its own does not know that it is one.
    package func isReached(by picture: PixelSize) -> Bool { reaches(picture, size) }

    /// Whether a picture has a pixel for each one that the view shows.
    package func isSharp(_ picture: PixelSize) -> Bool { reaches(picture, shown) }

    /// The box that suffices for both, so that a view that grows by turns in one and in the other direction settles. A
    /// side that is not known for one of them is the other's: a picture that covers an open side is the whole file.
    package func union(_ other: DecodeBox) -> DecodeBox {
        DecodeBox(
            size: size.union(other.size), isCovered: isCovered || other.isCovered, shown: shown.union(other.shown))
    }

    private init(size: PixelSize, isCovered: Bool, shown: PixelSize) {
        self.size = size
        self.isCovered = isCovered
        self.shown = shown
    }

    /// Up to the pixel that rounding takes.
    private func reaches(_ picture: PixelSize, _ sides: PixelSize) -> Bool {
        let (across, down) = (picture.width >= sides.width - 1, picture.height >= sides.height - 1)
        return isCovered ? across && down : across || down
    }

    /// nil for a side that is not known.
    private static func pixels(_ side: Double) -> Int? {
        // No picture is as large as that, and the conversion would not survive what is larger still.
        side > 0 ? Int(min(side, 1e6).rounded(.up)) : nil
    }

    fileprivate static func union(_ side: Int, _ other: Int) -> Int {
        let longest = max(side, other)
        return longest == openSide ? min(side, other) : longest
    }

    private static func roundedUp(_ side: Int) -> Int {
        let pixels = max(smallestSide, side)
        let octave = 1 << (Int.bitWidth - 1 - pixels.leadingZeroBitCount)
        let step = max(1, octave / stepsPerDoubling)
        return (pixels + step - 1) / step * step
    }
}

extension PixelSize {
    fileprivate func union(_ other: PixelSize) -> PixelSize {
        PixelSize(
            width: DecodeBox.union(width, other.width), height: DecodeBox.union(height, other.height))
    }
}
