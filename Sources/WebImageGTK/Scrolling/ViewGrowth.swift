import CGtk4
import WebImage

/// Tells which views of a widget may have grown: noticed while a frame is drawn, when nothing may be changed, and told in
/// the next one.
///
/// Each picture is looked at when it is drawn for the first time: the view may have grown before it was there.
final class ViewGrowth {
    /// Whether a view's picture could be sharper: asked while it is drawn, so that few frames have to be waited for.
    var isWorthTelling: (ViewLoadKey) -> Bool = { _ in true }
    /// Gets each view.
    var told: (ViewLoadKey) -> Void = { _ in }

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var grown: Set<ViewLoadKey> = []
    private var ticks: FrameTicks?

    init(of widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// A view is drawn at another size, on a screen of another density, or with another picture.
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

    /// The widget is going.
    func end() {
        ticks?.stop()
        ticks = nil
    }
}
