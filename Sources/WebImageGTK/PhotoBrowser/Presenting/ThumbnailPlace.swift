import CGtk4
import FoundationEssentials
import WebImage

/// The view of a thumbnail in the app: where its picture is, and whether it is hidden while that is in flight. The widget
/// may be destroyed, hidden, or filled anew at any time.
final class ThumbnailPlace {
    private let view: any WidgetView
    private let widget: WeakWidget
    /// The picture that the view showed at first.
    let image: Image?
    /// The address of that picture.
    let url: URL?
    private var hidden: (part: WeakWidget, opacity: Double)?

    init(_ view: any WidgetView) {
        self.view = view
        widget = WeakWidget(view.widget)
        image = view.image
        url = view.currentImageURL
    }

    isolated deinit { show() }

    /// The place of the picture in the coordinates of another widget of the same window; nil where it is not seen there,
    /// or the view shows another picture now.
    func place(in other: UnsafeMutablePointer<GtkWidget>) -> PictureFlight.Place? {
        widget.with { _ in
            let part = view.drawingWidget
            guard gtk_widget_get_mapped(part) != 0, gtk_widget_get_root(part) == gtk_widget_get_root(other),
                let image, view.image?.bitmap === image.bitmap, let clip = seenPart(of: part, in: other),
                let bounds = part.area(in: other)
            else { return nil }
            let size = image.pixelSize.points()
            let fit = view.slot.target?.contentFit ?? .contain
            let frame = fit.frame(of: size, in: bounds.size)
            let place = PointRect(x: bounds.x + frame.x, y: bounds.y + frame.y, size: frame.size)
            let radius = (view as? WebImageView)?.cornerRadius ?? 0
            return place.intersection(clip).map { PictureFlight.Place(frame: place, clip: $0, cornerRadius: radius) }
        }
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
        guard hidden == nil else { return }
        widget.with { _ in
            let part = view.drawingWidget
            hidden = (WeakWidget(part), gtk_widget_get_opacity(part))
            gtk_widget_set_opacity(part, 0)
        }
    }

    func show() {
        guard let hidden else { return }
        self.hidden = nil
        hidden.part.with { gtk_widget_set_opacity($0, hidden.opacity) }
    }
}

extension WidgetView {
    /// The widget that draws the picture: a part of a button or an entry.
    fileprivate var drawingWidget: UnsafeMutablePointer<GtkWidget> { slot.target?.drawingWidget ?? widget }
}
