import CGtk4

/// Swift objects that GTK keeps as long as a widget.
enum AssociatedObject {
    /// What `widget` keeps under `key`; nil when that was never made.
    ///
    /// One key must always be used for one type.
    static func find<Object: AnyObject>(_ key: String, on widget: UnsafeMutablePointer<GtkWidget>) -> Object? {
        g_object_get_data(object(widget), key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What `widget` keeps under `key`, made when first asked for.
    static func of<Object: AnyObject>(
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
