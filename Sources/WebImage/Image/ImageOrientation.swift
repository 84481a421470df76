/// How the stored pixels must be turned to be seen upright: the values of the EXIF tag 0x0112.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
    /// Stored as seen.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Upside down.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the main diagonal (transposed).
    case leftMirrored = 5
    /// Turn a quarter clockwise to see it upright.
    case right = 6
    /// Mirrored along the other diagonal (transversed).
    case rightMirrored = 7
    /// Turn a quarter counter-clockwise to see it upright.
    case left = 8

    /// True when width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size that a person sees, given the stored one; the same mapping leads back.
    public func apply(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}
