import CGtk4
import WebImage

/// Tells which views of a widget may have grown: noticed while a frame is drawn, when nothing may be changed, and told in
/// the next one.
final class ViewGrowth {
    /// Gets each view.
    var told: (ViewLoadKey) -> Void = { _ in }

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var grown: Set<ViewLoadKey> = []
    private var ticks: FrameTicks?

    init(of widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// A view is drawn at another size, or on a screen of another density.
    func note(_ view: ViewLoadKey) {
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
