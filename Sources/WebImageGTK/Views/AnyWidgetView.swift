import CGtk4
import WebImage

/// Loads pictures for any widget; the app shows them in `setImage` closures.
///
/// For places without a view of their own: the icon of a window, an app's own drawing, a style sheet. The widget owns
/// the loads, as with all views: the next load cancels the former one, and so does the destruction of the widget.
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
    /// The place of the loads, by name. A widget may have several such places.
    public let slot: PictureSlot

    /// The view of any `widget`.
    ///
    /// - Parameter operationKey: Names the loads. A load cancels the one before it of the same name, and no other.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, operationKey: String = "image") {
        self.widget = widget
        slot = PictureSlot(operationKey: operationKey)
    }

    /// The view of a widget for language bindings that have opaque pointers.
    public init(_ widget: OpaquePointer, operationKey: String = "image") {
        self.init(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWidget.self), operationKey: operationKey)
    }

    /// Loads a picture, which `setImage` shows; otherwise as the forms of all views. A trailing closure with four
    /// arguments is `setImage` here, since nothing else shows the picture, and a completion for all other views.
    @discardableResult
    public func setImage(
        with address: (any ImageAddress)?, placeholder: Image? = nil, preview: ImagePreview? = nil,
        transformer: (any ImageTransformer)? = nil, transition: WidgetTransition? = nil, options: WebImageOptions = [],
        context: WebImageContext = WebImageContext(), setImage: @escaping SetImage, progress: ProgressHandler? = nil
    ) -> LoadOperation? {
        load(
            address, placeholder, transformer, transition, options, context, preview: preview, setImage: setImage,
            progress: progress)
    }
}
