import CGtk4

extension UnsafeMutableRawPointer {
    /// Whether what is there, which must be an instance of GObject's, is of class `type` or of one derived from it, or
    /// implements that interface.
    func isInstance(of type: GType) -> Bool {
        g_type_check_instance_is_a(assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }
}
