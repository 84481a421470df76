import CGtk4
import WebImage

/// A widget that can show a `GdkPaintable`.
package protocol PaintableTarget {
    /// The widget; it must be alive when any other property is read.
    var widget: UnsafeMutablePointer<GtkWidget> { get }
    /// The part of the widget that draws the picture and nothing else, or the widget itself.
    var drawingWidget: UnsafeMutablePointer<GtkWidget> { get }
    /// The `GdkPaintable` of the widget, without the indicator over it.
    var paintable: OpaquePointer? { get nonmutating set }
    /// The way a picture fits into the widget.
    var contentFit: ContentFit { get }
    /// The size that the app has fixed, in points, with 0 for a side that is not fixed; nil for none.
    var fixedSize: PointSize? { get }
    /// The geometry of the widget.
    var viewport: Viewport { get }
    /// Whether the picture may be visible.
    var isMapped: Bool { get }
    /// The target that shows this picture and those of the widget's other states.
    var base: any PaintableTarget { get }
    /// Draws the widget's own content for the time without a picture, while the widget holds another paintable: centred
    /// in the given room.
    ///
    /// - Parameter side: The side of icons, in points.
    func drawIcon(_ snapshot: OpaquePointer, width: Double, height: Double, side: Double)
}

extension PaintableTarget {
    package var base: any PaintableTarget { self }

    package var drawingWidget: UnsafeMutablePointer<GtkWidget> { widget }

    package var fixedSize: PointSize? { nil }

    package func drawIcon(_ snapshot: OpaquePointer, width: Double, height: Double, side: Double) {}

    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    package var viewport: Viewport {
        let size = PointSize(
            width: Double(gtk_widget_get_width(widget)), height: Double(gtk_widget_get_height(widget)))
        return Viewport(size: size, fit: contentFit, scale: Double(gtk_widget_get_scale_factor(widget)))
    }

    /// Whether the desktop allows animations, and the window is not minimised: without a compositor, a minimised window
    /// still gets frames.
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

    package var contentFit: ContentFit { widget.pictureFit }

    package var fixedSize: PointSize? { FixedSize.find(widget)?.size }
}
