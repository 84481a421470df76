import CGtk4

/// A pointer to an object of GTK's: typed, opaque or raw, as C functions give and take them.
nonisolated public protocol ObjectPointer {
    /// The object's address.
    var address: UnsafeMutableRawPointer { get }
}

nonisolated extension UnsafeMutablePointer: ObjectPointer {
    /// The object's address.
    public var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

nonisolated extension OpaquePointer: ObjectPointer {
    /// The object's address.
    public var address: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

nonisolated extension UnsafeMutableRawPointer: ObjectPointer {
    /// The object's address.
    public var address: UnsafeMutableRawPointer { self }
}

/// The same object as one of another class, as GTK's macros `GTK_WINDOW` and the like do; the type comes from the context.
///
/// ```swift
/// let window = gtk_application_window_new(application)
/// gtk_window_set_title(cast(window), "List")
/// gtk_window_present(cast(window))
/// ```
/// A debug build stops at a cast to a class that the object does not belong to; a release build does not look.
///
/// - Parameter object: An object of GObject's; nil gives nil.
nonisolated public func cast<Instance>(_ object: (some ObjectPointer)?) -> UnsafeMutablePointer<Instance>! {
    guard let address = object?.address else { return nil }
    assert(address.isInstance(of: Instance.self), "\(address.className) is no \(typeName(of: Instance.self))")
    return address.assumingMemoryBound(to: Instance.self)
}

/// The same object as an opaque pointer, for functions of classes whose fields are private: `GtkLabel`, `GtkListItem`,
/// `GtkScrolledWindow` and most others.
///
/// ```swift
/// let label = gtk_label_new(nil)
/// gtk_label_set_text(cast(label), "Ada")
/// ```
/// - Parameter object: An object of GObject's; nil gives nil.
nonisolated public func cast(_ object: (some ObjectPointer)?) -> OpaquePointer! {
    object.map { OpaquePointer($0.address) }
}

extension UnsafeMutableRawPointer {
    /// Whether the object is of the class with that struct; true where GObject does not know its name.
    nonisolated func isInstance<Instance>(of type: Instance.Type) -> Bool {
        let type = g_type_from_name(typeName(of: type))
        return type == 0 || g_type_check_instance_is_a(assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }

    /// The name of the object's class.
    nonisolated fileprivate var className: String {
        String(cString: g_type_name_from_instance(assumingMemoryBound(to: GTypeInstance.self)))
    }
}

/// GLib's structs are called as their types, after an underscore.
nonisolated private func typeName<Instance>(of type: Instance.Type) -> String {
    String(String(describing: type).drop { $0 == "_" })
}
