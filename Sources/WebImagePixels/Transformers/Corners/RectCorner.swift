/// Corners of a rectangle. The numbers are SDWebImage's.
public struct RectCorner: OptionSet, Sendable, Hashable {
    /// A bit for each corner.
    public let rawValue: UInt

    /// Corners by their bits; other bits are ignored.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The top left corner.
    public static let topLeft = RectCorner(rawValue: 1 << 0)
    /// The top right corner.
    public static let topRight = RectCorner(rawValue: 1 << 1)
    /// The bottom left corner.
    public static let bottomLeft = RectCorner(rawValue: 1 << 2)
    /// The bottom right corner.
    public static let bottomRight = RectCorner(rawValue: 1 << 3)
    /// All four corners.
    public static let allCorners = RectCorner(rawValue: .max)
}
