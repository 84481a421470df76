import CGtk4

/// A weak reference to a widget.
final class WeakWidget {
    private let reference: UnsafeMutablePointer<GWeakRef>

    init(_ widget: UnsafeMutablePointer<GtkWidget>?) {
        reference = .allocate(capacity: 1)
        g_weak_ref_init(reference, widget)
    }

    isolated deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }

    /// Calls `body` with the widget, which is retained meanwhile; returns nil when it is gone.
    @discardableResult
    func with<Result>(_ body: (UnsafeMutablePointer<GtkWidget>) -> Result?) -> Result? {
        guard let object = g_weak_ref_get(reference) else { return nil }
        defer { g_object_unref(object) }
        return body(object.assumingMemoryBound(to: GtkWidget.self))
    }
}
