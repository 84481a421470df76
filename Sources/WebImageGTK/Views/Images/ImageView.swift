import CGtk4
import WebImage

/// Loads pictures into a `GtkImage` of the app.
///
/// A `GtkImage` is made for icons: it has icon size, or its `pixel-size`, for a picture of any size. While there is no
/// picture it shows the app's own icon.
///
/// ```swift
/// let avatar = gtk_image_new_from_icon_name("avatar-default-symbolic")!
/// gtk_image_set_pixel_size(OpaquePointer(avatar), 32)
/// ImageView(avatar).setImage(with: URL(string: "https://example.org/a.jpg"))
/// ```
/// A stateless value for use on the main thread while the widget lives.
@MainActor
public struct ImageView: HighlightableView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The view of `widget`, which must be a `GtkImage`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The view of a `GtkImage *`, for language bindings with typed pointers.
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
