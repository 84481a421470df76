import CGtk4

/// A weak reference to a widget.
final class WeakWidget {
    private let object: WeakObject

    init(_ widget: UnsafeMutablePointer<GtkWidget>?) { object = WeakObject(widget?.address) }

    /// Calls `body` with the widget, which is retained meanwhile; returns nil when it is gone.
    @discardableResult
    func with<Result>(_ body: (UnsafeMutablePointer<GtkWidget>) -> Result?) -> Result? {
        object.with { body($0.assumingMemoryBound(to: GtkWidget.self)) }
    }
}
