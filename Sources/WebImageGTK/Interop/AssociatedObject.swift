import CGtk4

/// Swift objects that a widget owns.
package enum AssociatedObject {
    /// The object that `widget` owns under `key`; nil when there is none.
    ///
    /// A key must always be used with the same type.
    package static func find<Object: AnyObject>(_ key: String, on widget: UnsafeMutablePointer<GtkWidget>) -> Object? {
        g_object_get_data(object(widget), key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The object that `widget` owns under `key`, created at first use.
    package static func of<Object: AnyObject>(
        _ key: String, on widget: UnsafeMutablePointer<GtkWidget>, make: () -> Object
    ) -> Object {
        if let found: Object = find(key, on: widget) { return found }
        let made = make()
        g_object_set_data_full(
            object(widget), key, Unmanaged<AnyObject>.passRetained(made).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<AnyObject>.fromOpaque(data).release()
            })
        return made
    }

    private static func object(_ widget: UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
    }
}
