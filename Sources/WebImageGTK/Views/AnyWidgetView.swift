import CGtk4
import WebImage

/// Loads pictures for any widget; the app shows them, by `setImage` closures.
///
/// For what has no view of its own: the icon of a window, a drawing of the app's, a style sheet. The loads belong to the
/// widget as those of all views do: the next load cancels the one before it, and so does the end of the widget.
///
/// ```swift
/// AnyWidgetView(area).setImage(with: url) { image, _, _, _ in
///     portrait = image
///     gtk_widget_queue_draw(area)
/// }
/// ```
/// A value without state of its own, for use on the main thread while the widget lives.
@MainActor
public struct AnyWidgetView: WidgetView {
    /// The widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    /// Where the loads belong, by name. A widget may have several such places.
    public let slot: PictureSlot

    /// The view of any `widget`.
    ///
    /// - Parameter operationKey: Names the loads. Those of one name follow one another, those of another name are not
    ///   disturbed.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, operationKey: String = "image") {
        self.widget = widget
        slot = PictureSlot(operationKey: operationKey)
    }

    /// The view of a widget of which bindings hand out an opaque pointer.
    public init(_ widget: OpaquePointer, operationKey: String = "image") {
        self.init(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWidget.self), operationKey: operationKey)
    }
}
