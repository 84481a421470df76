import CGtk4
import WebImage

/// Loads pictures into a `GtkImage` that the app already has.
///
/// A `GtkImage` is made for icons: its size is that of an icon, or its `pixel-size`, whatever the picture's is. While
/// there is no picture to show it shows the icon that the app has given it.
///
/// ```swift
/// let avatar = gtk_image_new_from_icon_name("avatar-default-symbolic")!
/// gtk_image_set_pixel_size(OpaquePointer(avatar), 32)
/// ImageView(avatar).setImage(with: URL(string: "https://example.org/a.jpg"))
/// ```
/// A value without state of its own, for use on the main thread while the widget lives.
@MainActor
public struct ImageView: HighlightableView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The view of `widget`, which must be a `GtkImage`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The view of a `GtkImage *`, as bindings that know the type hand it out.
    public init(_ image: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(image).assumingMemoryBound(to: GtkWidget.self))
    }

    /// The picture of the `GtkImage`.
    public var slot: PictureSlot {
        PictureSlot(
            target: HighlightTarget(key: Highlight.Key.image, base: IconTarget(ImageHolder(widget: widget))),
            naming: .widget)
    }
}
