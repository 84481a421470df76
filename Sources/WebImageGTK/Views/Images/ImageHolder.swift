import CGtk4
import WebImage

/// A `GtkImage`.
struct ImageHolder: IconHolder {
    let widget: UnsafeMutablePointer<GtkWidget>
    var drawingWidget: UnsafeMutablePointer<GtkWidget> { widget }
    let name = "image"

    private var image: OpaquePointer { OpaquePointer(widget) }

    var icon: Icon {
        get {
            Icon(
                gtk_image_get_storage_type(image), name: gtk_image_get_icon_name(image),
                icon: gtk_image_get_gicon(image), paintable: gtk_image_get_paintable(image))
        }
        nonmutating set {
            switch newValue {
            case .none: gtk_image_clear(image)
            case .named(let name): gtk_image_set_from_icon_name(image, name)
            case .themed(let icon): gtk_image_set_from_gicon(image, icon.pointer)
            case .paintable(let handle): gtk_image_set_from_paintable(image, handle.pointer)
            }
        }
    }

    var size: PointSize {
        PointSize(width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
    }
}
