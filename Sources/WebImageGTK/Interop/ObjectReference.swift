import CGtk4

/// A reference to an object of GObject's that somebody else made.
final class ObjectReference {
    /// The object, valid as long as this one.
    let pointer: OpaquePointer

    init(retaining object: OpaquePointer) {
        pointer = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(object)))
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}
