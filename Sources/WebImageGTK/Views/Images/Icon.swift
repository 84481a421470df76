import CGtk4
import WebImage

/// The content of a widget for icons.
enum Icon {
    /// Nothing.
    case none
    /// An icon of the desktop's theme.
    case named(String)
    /// A `GIcon`.
    case themed(PaintableHandle)
    /// A picture.
    case paintable(PaintableHandle)

    /// Reads the icon of a widget from GTK's usual three properties.
    init(
        _ type: GtkImageType, name: UnsafePointer<CChar>?, icon: OpaquePointer?, paintable: OpaquePointer?
    ) {
        switch type {
        case GTK_IMAGE_ICON_NAME: self = name.map { .named(String(cString: $0)) } ?? .none
        case GTK_IMAGE_GICON: self = icon.map { .themed(PaintableHandle(retaining: $0)) } ?? .none
        case GTK_IMAGE_PAINTABLE: self = paintable.map { .paintable(PaintableHandle(retaining: $0)) } ?? .none
        default: self = .none
        }
    }

    /// The `GdkPaintable`; nil for all else.
    var paintable: OpaquePointer? {
        guard case .paintable(let handle) = self else { return nil }
        return handle.pointer
    }
}

/// A place of a widget that is made for icons and can also show pictures.
protocol IconHolder {
    /// The widget.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The part of the widget that draws the icon, or the widget itself.
    var drawingWidget: UnsafeMutablePointer<GtkWidget> { get }
    /// Identifies the place within its widget.
    var name: String { get }
    /// The current content.
    var icon: Icon { get nonmutating set }
    /// The size of the place, in points.
    var size: PointSize { get }
}
