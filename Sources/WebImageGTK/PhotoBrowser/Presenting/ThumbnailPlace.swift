import CGtk4
import WebImage

/// The view of a thumbnail in the app: where its picture is, and whether it is hidden while that is in flight. The widget
/// may be destroyed, hidden, or filled anew at any time.
final class ThumbnailPlace {
    private let weak: UnsafeMutablePointer<GWeakRef>
    private let view: any WidgetView
    private var formerOpacity: Double?
    /// The picture that the view showed at first.
    let image: Image?

    init(_ view: any WidgetView) {
        self.view = view
        image = view.image
        weak = .allocate(capacity: 1)
        g_weak_ref_init(weak, view.widget)
    }

    isolated deinit {
        show()
        g_weak_ref_clear(weak)
        weak.deallocate()
    }

    /// The place of the picture in the coordinates of another widget of the same window; nil where it is not seen there,
    /// or the view shows another picture now.
    func place(in other: UnsafeMutablePointer<GtkWidget>) -> PictureFlight.Place? {
        withWidget { widget in
            guard gtk_widget_get_mapped(widget) != 0, gtk_widget_get_root(widget) == gtk_widget_get_root(other),
                let image, view.image?.bitmap === image.bitmap, let clip = seenPart(of: widget, in: other)
            else { return nil }
            return place(widget, clip: clip, in: other)
        }
    }

    private func place(
        _ widget: UnsafeMutablePointer<GtkWidget>, clip: PointRect, in other: UnsafeMutablePointer<GtkWidget>
    ) -> PictureFlight.Place? {
        guard let bounds = widget.area(in: other), let image else { return nil }
        let size = PointSize(width: Double(image.pixelSize.width), height: Double(image.pixelSize.height))
        let fit = view.slot.target?.contentFit ?? .contain
        let frame = fit.frame(of: size, in: bounds.size)
        let place = PointRect(x: bounds.x + frame.x, y: bounds.y + frame.y, size: frame.size)
        let radius = (view as? WebImageView)?.cornerRadius ?? 0
        return place.intersection(clip).map { PictureFlight.Place(frame: place, clip: $0, cornerRadius: radius) }
    }

    /// The part that scrollers let through; nil for none.
    private func seenPart(
        of widget: UnsafeMutablePointer<GtkWidget>, in other: UnsafeMutablePointer<GtkWidget>
    ) -> PointRect? {
        widget.scrollers.reduce(widget.area(in: other)) { part, scroller in
            part.flatMap { part in scroller.area(in: other).flatMap { part.intersection($0) } }
        }
    }

    /// Hides the thumbnail while its picture is elsewhere.
    func hide() {
        _ = withWidget { widget -> Bool? in
            guard formerOpacity == nil else { return nil }
            formerOpacity = gtk_widget_get_opacity(widget)
            gtk_widget_set_opacity(widget, 0)
            return true
        }
    }

    func show() {
        guard let opacity = formerOpacity else { return }
        formerOpacity = nil
        _ = withWidget { widget -> Bool? in
            gtk_widget_set_opacity(widget, opacity)
            return true
        }
    }

    /// nil when the widget is gone.
    private func withWidget<Result>(_ body: (UnsafeMutablePointer<GtkWidget>) -> Result?) -> Result? {
        guard let object = g_weak_ref_get(weak) else { return nil }
        defer { g_object_unref(object) }
        return body(object.assumingMemoryBound(to: GtkWidget.self))
    }
}
