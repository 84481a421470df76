import CGtk4
import WebImage

/// What of a widget is seen through the scrollers that it lies in.
struct VisibleArea {
    let viewport: Viewport
    /// In the widget's points.
    let part: PointRect

    /// Whether the widget is far larger than any screen, so that what lies beside this part is worth leaving out.
    var isSmallPart: Bool { max(viewport.size.width, viewport.size.height) > 4096 }

    /// The same part where the widget draws a picture from `frame`'s corner on.
    func part(ofContent size: PointSize, drawnIn frame: PointRect) -> PointRect {
        RectMap(viewport.fit.frame(of: size, in: viewport.size), to: frame)(part)
    }
}

extension PaintableTarget {
    /// nil when the widget does not lie in a scroller.
    var visibleArea: VisibleArea? {
        let scrollers = widget.scrollers
        guard !scrollers.isEmpty else { return nil }
        let viewport = viewport
        let nothing = PointRect(x: 0, y: 0, width: 0, height: 0)
        let part = scrollers.reduce(PointRect(x: 0, y: 0, size: viewport.size)) { part, scroller in
            widget.part(seenIn: scroller).flatMap { part.intersection($0) } ?? nothing
        }
        return VisibleArea(viewport: viewport, part: part)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The scrolled windows that the widget lies in, from inside to outside.
    var scrollers: [UnsafeMutablePointer<GtkWidget>] {
        sequence(first: self) { gtk_widget_get_parent($0) }.filter { $0.isA(gtk_scrolled_window_get_type()) }
    }

    /// The area of an ancestor, in the widget's own points.
    fileprivate func part(seenIn ancestor: UnsafeMutablePointer<GtkWidget>) -> PointRect? {
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(self, ancestor, &bounds) != 0 else { return nil }
        return PointRect(
            x: -Double(bounds.origin.x), y: -Double(bounds.origin.y), width: Double(gtk_widget_get_width(ancestor)),
            height: Double(gtk_widget_get_height(ancestor)))
    }
}
