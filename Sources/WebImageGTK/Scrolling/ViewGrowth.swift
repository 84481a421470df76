import CGtk4
import WebImage

/// Reports views of a widget that may have grown. Growth is detected while a frame is drawn, when nothing may be
/// changed, and reported in the next frame.
///
/// The first draw of each picture counts: the view may have grown before the picture arrived.
final class ViewGrowth {
    /// Whether a view's picture could be sharper: asked during the draw, to avoid waiting for a frame in vain.
    var isWorthTelling: (ViewLoadKey) -> Bool = { _ in true }
    /// Gets each such view.
    var told: (ViewLoadKey) -> Void = { _ in }

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var grown: Set<ViewLoadKey> = []
    private var ticks: FrameTicks?

    init(of widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// A view is drawn at another size, at another scale, or with another picture.
    func note(_ view: ViewLoadKey) {
        guard isWorthTelling(view) else { return }
        grown.insert(view)
        guard ticks == nil else { return }
        ticks = FrameTicks(of: widget) { [weak self] _ in
            guard let self else { return false }
            ticks = nil
            let views = grown
            grown = []
            for view in views { told(view) }
            return false
        }
    }

    /// The widget is being destroyed.
    func end() {
        ticks?.stop()
        ticks = nil
    }
}
