import WebImageCore

/// The decode size of a view's picture, in pixels: the size of the view, rounded up; see
/// ``WebImage/PixelSize/roundedUpForDecoding``.
package struct DecodeBox: Sendable, Hashable {
    /// Width and height in pixels.
    package let size: PixelSize
    /// Whether the picture covers the box, because the view crops it; otherwise it fits into the box.
    package let isCovered: Bool
    /// The exact size of the view.
    private let shown: PixelSize

    /// The side of a box that is unlimited, because the picture determines that side of the view.
    private static let openSide = 1 << 16

    /// The box for a view of `viewSize` points. A side of 0 is unknown: the picture is decoded for the other side, and
    /// determines this one.
    ///
    /// - Parameter scaleFactor: Device pixels per point.
    /// - Returns: nil for a view without a size.
    package init?(viewSize: PointSize, scaleFactor: Double, fit: ContentFit) {
        guard max(viewSize.width, viewSize.height) > 0, scaleFactor > 0 else { return nil }
        // If the picture determines a side of the view, it cannot overhang.
        isCovered = (fit == .cover || fit == .fill) && !viewSize.isEmpty
        shown = PixelSize(
            width: Self.pixels(viewSize.width * scaleFactor) ?? Self.openSide,
            height: Self.pixels(viewSize.height * scaleFactor) ?? Self.openSide)
        size = shown.roundedUpForDecoding
    }

    /// Whether a picture decoded for this box is sharp in a view that needs `wanted`. A view that shrinks needs
    /// nothing.
    package func suffices(for wanted: DecodeBox) -> Bool {
        (isCovered || !wanted.isCovered) && size.width >= wanted.size.width && size.height >= wanted.size.height
    }

    /// Whether a picture is as large as the box allows, so that its file may have more pixels: a thumbnail from a file
    /// of its own has no record of that.
    package func isReached(by picture: PixelSize) -> Bool { reaches(picture, size) }

    /// Whether a picture has a pixel for each device pixel of the view.
    package func isSharp(_ picture: PixelSize) -> Bool { reaches(picture, shown) }

    /// The box that suffices for both, so that a view that grows in alternating directions settles. An unknown side of
    /// one is that of the other: a picture with an unlimited side comes at the file's size.
    package func union(_ other: DecodeBox) -> DecodeBox {
        DecodeBox(
            size: size.union(other.size), isCovered: isCovered || other.isCovered, shown: shown.union(other.shown))
    }

    private init(size: PixelSize, isCovered: Bool, shown: PixelSize) {
        self.size = size
        self.isCovered = isCovered
        self.shown = shown
    }

    /// Allows one pixel for rounding.
    private func reaches(_ picture: PixelSize, _ sides: PixelSize) -> Bool {
        let (across, down) = (picture.width >= sides.width - 1, picture.height >= sides.height - 1)
        return isCovered ? across && down : across || down
    }

    /// nil for an unknown side.
    private static func pixels(_ side: Double) -> Int? {
        // No picture is that large, and larger values would trap in the conversion.
        side > 0 ? Int(min(side, 1e6).rounded(.up)) : nil
    }

    fileprivate static func union(_ side: Int, _ other: Int) -> Int {
        let longest = max(side, other)
        return longest == openSide ? min(side, other) : longest
    }
}

extension PixelSize {
    fileprivate func union(_ other: PixelSize) -> PixelSize {
        PixelSize(
            width: DecodeBox.union(width, other.width), height: DecodeBox.union(height, other.height))
    }
}
