import CGtk4

/// A weak reference to an object of GObject's.
final class WeakObject {
    private let reference: UnsafeMutablePointer<GWeakRef>

    init(_ object: UnsafeMutableRawPointer?) {
        reference = .allocate(capacity: 1)
        g_weak_ref_init(reference, object)
    }

    isolated deinit {
        g_weak_ref_clear(reference)
        reference.deallocate()
    }

    /// Calls `body` with the object, which is retained meanwhile; returns nil when it is gone.
    @discardableResult
    func with<Result>(_ body: (UnsafeMutableRawPointer) -> Result?) -> Result? {
        guard let object = g_weak_ref_get(reference) else { return nil }
        defer { g_object_unref(object) }
        return body(object)
    }
}
