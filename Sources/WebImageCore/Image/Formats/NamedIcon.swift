/// The icon of the desktop's theme that a picture was drawn from. Views draw the icon instead of the pixels, in the
/// colours that they have then.
package struct NamedIcon: Sendable, Hashable {
    /// As in the freedesktop icon naming specification.
    package let name: String

    package init(name: String) { self.name = name }
}
