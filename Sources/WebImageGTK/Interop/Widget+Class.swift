import CGtk4

/// The class of a widget and the defaults of all widgets.
extension UnsafeMutablePointer<GtkWidget> {
    /// The same object, typed for GObject's functions.
    var object: UnsafeMutablePointer<GObject> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self) }

    /// The methods of the widget's class; nil only when the pointer is no widget.
    var methods: UnsafeMutablePointer<GtkWidgetClass>? {
        UnsafeMutableRawPointer(pointee.parent_instance.g_type_instance.g_class)?
            .assumingMemoryBound(to: GtkWidgetClass.self)
    }

    /// Whether the widget's class measures itself instead of using a layout manager.
    var measuresItself: Bool {
        unsafeBitCast(methods?.pointee.measure, to: UnsafeRawPointer?.self)
            != unsafeBitCast(Self.usualMethods?.pointee.measure, to: UnsafeRawPointer?.self)
    }

    /// Whether the widget draws its children and nothing else.
    var drawsChildren: Bool {
        unsafeBitCast(methods?.pointee.snapshot, to: UnsafeRawPointer?.self)
            == unsafeBitCast(Self.usualMethods?.pointee.snapshot, to: UnsafeRawPointer?.self)
    }

    /// Whether the widget's class has a property of that name.
    func hasProperty(_ name: String) -> Bool {
        methods?.withMemoryRebound(to: GObjectClass.self, capacity: 1) { g_object_class_find_property($0, name) } != nil
    }

    /// Whether the widget is of class `type`, or of one derived from it.
    func isA(_ type: GType) -> Bool { UnsafeMutableRawPointer(self).isInstance(of: type) }

    /// The name of the widget's class.
    var className: String {
        methods.map { String(cString: g_type_name($0.pointee.parent_class.g_type_class.g_type)) } ?? ""
    }

    /// The current children, the lowest first.
    var children: [UnsafeMutablePointer<GtkWidget>] {
        Array(sequence(first: gtk_widget_get_first_child(self)) { $0.flatMap { gtk_widget_get_next_sibling($0) } })
            .compactMap(\.self)
    }

    /// Whether the widget or its children show text; the popover of a menu button does not count.
    var hasText: Bool {
        if isA(gtk_label_get_type()) { return gtk_label_get_text(OpaquePointer(self)).map { $0.pointee != 0 } ?? false }
        return children.contains { !$0.isA(gtk_popover_get_type()) && $0.hasText }
    }

    private static let usualMethods = g_type_class_ref(gtk_widget_get_type())?
        .assumingMemoryBound(to: GtkWidgetClass.self)
}
