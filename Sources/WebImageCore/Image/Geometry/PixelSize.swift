/// A width and a height in pixels, after orientation.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
    /// Pixels from left to right.
    public var width: Int
    /// Pixels from top to bottom.
    public var height: Int

    /// A size of `width` × `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether either side is zero or less; no picture has such a size.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The number of pixels; saturates instead of overflowing, for invalid headers.
    public var area: Int {
        let (product, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : product
    }

    /// The size with width and height swapped.
    package var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// `640×480`.
    public var description: String { "\(width)×\(height)" }
}
