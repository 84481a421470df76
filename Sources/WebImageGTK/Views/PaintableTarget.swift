import CGtk4
import WebImage

/// A widget that can show a `GdkPaintable`.
package protocol PaintableTarget {
    /// The widget, which must be alive whenever anything else is asked.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The `GdkPaintable` that it shows, without an indicator over it.
    var paintable: OpaquePointer? { get nonmutating set }
    /// How it lays a picture into its own size.
    var contentFit: ContentFit { get }
    /// The room in which it does so.
    var viewport: Viewport { get }
    /// Whether somebody might see the picture.
    var isMapped: Bool { get }
    /// What shows this picture and those that take turns with it.
    var base: any PaintableTarget { get }
}

extension PaintableTarget {
    package var base: any PaintableTarget { self }

    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    package var viewport: Viewport {
        let size = PointSize(
            width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        return Viewport(size: size, fit: contentFit, scale: Double(gtk_widget_get_scale_factor(widget)))
    }

    /// Whether the desktop wants things to move, in a window that is not minimised: without a compositor, such a window
    /// gets its frames all the same.
    var allowsAnimations: Bool { widget.allowsAnimations && !widget.isMinimized }
}

/// A `GtkPicture`.
package struct PictureTarget: PaintableTarget {
    package let widget: UnsafeMutablePointer<GtkWidget>

    package init(widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    private var picture: OpaquePointer { OpaquePointer(widget) }

    package var paintable: OpaquePointer? {
        get { OverlaidContent.uncovered(gtk_picture_get_paintable(picture)) }
        nonmutating set { gtk_picture_set_paintable(picture, newValue) }
    }

    package var contentFit: ContentFit {
        switch gtk_picture_get_content_fit(picture) {
        case GTK_CONTENT_FIT_FILL: .fill
        case GTK_CONTENT_FIT_COVER: .cover
        case GTK_CONTENT_FIT_SCALE_DOWN: .scaleDown
        default: .contain
        }
    }
}
