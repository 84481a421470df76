import CGtk4
import WebImage

/// Loads pictures into a `GtkPicture` of the app.
///
/// A stateless value: create one wherever it is needed, it always refers to the same widget.
///
/// ```swift
/// let picture = gtk_picture_new()!
/// PictureView(picture).setImage(with: URL(string: "https://example.org/a.jpg"), placeholder: grey)
/// ```
/// Use on the main thread only, as all of GTK, and only while the widget lives.
@MainActor
public struct PictureView: HighlightableView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>

    /// The picture view of `widget`, which must be a `GtkPicture`.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// The picture view of a `GtkPicture *`, for language bindings with typed pointers.
    public init(_ picture: OpaquePointer) {
        self.init(UnsafeMutableRawPointer(picture).assumingMemoryBound(to: GtkWidget.self))
    }

    /// The picture of the `GtkPicture`.
    public var slot: PictureSlot {
        PictureSlot(
            target: HighlightTarget(key: Highlight.Key.image, base: PictureTarget(widget: widget)), naming: .widget)
    }
}
