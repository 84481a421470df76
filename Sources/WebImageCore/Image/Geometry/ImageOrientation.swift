/// The rotation and mirroring that make stored pixels upright: the values of the EXIF tag 0x0112.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
    /// Stored upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Upside down.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the main diagonal (transposed).
    case leftMirrored = 5
    /// Rotated by a quarter turn clockwise for display.
    case right = 6
    /// Mirrored along the other diagonal (transversed).
    case rightMirrored = 7
    /// Rotated by a quarter turn counter-clockwise for display.
    case left = 8

    /// Whether width and height are swapped.
    package var swapsSides: Bool { rawValue >= 5 }

    /// The upright size for a stored size, and vice versa.
    package func apply(to size: PixelSize) -> PixelSize { swapsSides ? size.transposed : size }
}
