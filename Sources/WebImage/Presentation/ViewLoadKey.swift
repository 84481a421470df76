/// Names one of the loads that a view may have at a time: its picture, its background, a badge.
///
/// A new load cancels the one before it under the same key and leaves the others alone.
package struct ViewLoadKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    package let name: String

    /// A key called `name`.
    package init(_ name: String) { self.name = name }

    /// A key as a literal.
    package init(stringLiteral value: String) { name = value }

    /// The view's picture: the key of every load that names no other.
    package static let image: ViewLoadKey = "image"
}
