import CGtk4
import WebImage

/// What a widget that is made for icons shows.
enum Icon {
    /// Nothing.
    case none
    /// An icon of the desktop's theme.
    case named(String)
    /// A `GIcon`.
    case themed(PaintableHandle)
    /// A picture.
    case paintable(PaintableHandle)

    /// Reads the icon of a widget that keeps it in GTK's usual three forms.
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

    /// The `GdkPaintable`, if it is one.
    var paintable: OpaquePointer? {
        guard case .paintable(let handle) = self else { return nil }
        return handle.pointer
    }
}

/// A place of a widget that is made for icons, and can show pictures too.
protocol IconHolder {
    /// The widget.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// Tells the place from others of the same widget.
    var name: String { get }
    /// What it shows.
    var icon: Icon { get nonmutating set }
    /// How large the place is.
    var size: PointSize { get }
}
