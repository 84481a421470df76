import CGtk4
import WebImage

/// The pictures of a widget for its states; it shows the best match for its present state.
final class PaintableSwitch {
    /// Identifies a picture by the operation key of its loads.
    typealias Key = String

    /// The target that shows the pictures; nil while it does not exist and is not needed.
    var surface: (_ isNeeded: Bool) -> (any PaintableTarget)? = { _ in nil }
    /// The pictures for the widget's state, the best match first. The last one is that of the usual state.
    var choices: () -> [Key] = { [] }

    private var paintables: [Key: PaintableHandle] = [:]
    private var shown: (key: Key, handle: PaintableHandle?, widget: UnsafeMutablePointer<GtkWidget>)?

    /// The picture for `key`, shown or not.
    func paintable(for key: Key) -> OpaquePointer? {
        adopt()
        return paintables[key]?.pointer
    }

    func setPaintable(_ paintable: OpaquePointer?, for key: Key) {
        adopt()
        paintables[key] = paintable.map { PaintableHandle(retaining: $0) }
        show()
    }

    /// Whether the picture for `key` is the visible one.
    func isShown(_ key: Key) -> Bool { shown?.key == key }

    /// The state of the widget, or the widget that shows the pictures, has changed.
    func update() {
        adopt()
        show()
    }

    /// The target that shows the pictures, if it exists.
    var target: (any PaintableTarget)? { surface(false) }

    /// A paintable that the app has set belongs to the state that was shown then.
    private func adopt() {
        guard let target = surface(false) else { return shown = nil }
        if shown?.widget != target.widget, let usual = choices().last { shown = (usual, nil, target.widget) }
        guard let shown, target.paintable != shown.handle?.pointer else { return }
        let handle = target.paintable.map { PaintableHandle(retaining: $0) }
        paintables[shown.key] = handle
        self.shown = (shown.key, handle, target.widget)
    }

    private func show() {
        let choices = choices()
        guard let key = choices.first(where: { paintables[$0] != nil }) ?? choices.last else { return }
        let handle = paintables[key]
        guard let target = surface(handle != nil) else { return }
        shown = (key, handle, target.widget)
        if target.paintable != handle?.pointer { target.paintable = handle?.pointer }
    }
}
