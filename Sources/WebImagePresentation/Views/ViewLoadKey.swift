/// Identifies one of the concurrent loads of a view: its picture, its background, a badge.
///
/// A new load cancels the one before it under the same key, and no other.
package struct ViewLoadKey: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name.
    package let name: String

    /// A key called `name`.
    package init(_ name: String) { self.name = name }

    /// A key as a literal.
    package init(stringLiteral value: String) { name = value }

    /// The view's picture: the default key.
    package static let image: ViewLoadKey = "image"
}
