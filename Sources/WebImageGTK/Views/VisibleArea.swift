import CGtk4
import WebImage

/// The part of a widget that is visible through the scrollers around it.
struct VisibleArea {
    let viewport: Viewport
    /// In the widget's coordinates, in points.
    let part: PointRect

    /// Whether the widget is far larger than any screen, so that drawing the visible part only pays.
    var isSmallPart: Bool { max(viewport.size.width, viewport.size.height) > 4096 }

    /// The same part in the coordinates of a picture of `size` that the widget draws in `frame`.
    func part(ofContent size: PointSize, drawnIn frame: PointRect) -> PointRect {
        RectMap(viewport.fit.frame(of: size, in: viewport.size), to: frame)(part)
    }
}

extension PaintableTarget {
    /// nil when the widget is in no scroller.
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
    /// The scrolled windows around the widget, the innermost first.
    var scrollers: [UnsafeMutablePointer<GtkWidget>] {
        sequence(first: self) { gtk_widget_get_parent($0) }.filter { $0.isA(gtk_scrolled_window_get_type()) }
    }

    /// The area of an ancestor, in the widget's coordinates.
    fileprivate func part(seenIn ancestor: UnsafeMutablePointer<GtkWidget>) -> PointRect? {
        var bounds = graphene_rect_t()
        guard gtk_widget_compute_bounds(self, ancestor, &bounds) != 0 else { return nil }
        return PointRect(
            x: -Double(bounds.origin.x), y: -Double(bounds.origin.y), width: Double(gtk_widget_get_width(ancestor)),
            height: Double(gtk_widget_get_height(ancestor)))
    }
}
