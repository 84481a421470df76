/// Names one of the loads that a view may have at a time: its picture, its background, a badge.
///
/// A new load cancels the one before it under the same key and leaves the others alone.
public struct ViewLoadKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    public let name: String

    /// A key called `name`.
    public init(_ name: String) { self.name = name }

    /// A key as a literal.
    public init(stringLiteral value: String) { name = value }

    /// The view's picture: the key of every load that names no other.
    public static let image: ViewLoadKey = "image"
}
