import CGtk4

extension UnsafeMutableRawPointer {
    /// Whether the pointer, which must be a GObject instance, is of class `type`, of a class derived from it, or
    /// implements that interface.
    func isInstance(of type: GType) -> Bool {
        g_type_check_instance_is_a(assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }
}
