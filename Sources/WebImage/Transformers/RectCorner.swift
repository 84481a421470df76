/// Corners of a rectangle. The numbers are SDWebImage's.
public struct RectCorner: OptionSet, Sendable, Hashable {
    /// A bit for each corner.
    public let rawValue: UInt

    /// Corners by their bits; bits that are no corner's do nothing.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The corner at the top left.
    public static let topLeft = RectCorner(rawValue: 1 << 0)
    /// The corner at the top right.
    public static let topRight = RectCorner(rawValue: 1 << 1)
    /// The corner at the bottom left.
    public static let bottomLeft = RectCorner(rawValue: 1 << 2)
    /// The corner at the bottom right.
    public static let bottomRight = RectCorner(rawValue: 1 << 3)
    /// All four corners.
    public static let allCorners = RectCorner(rawValue: .max)
}
