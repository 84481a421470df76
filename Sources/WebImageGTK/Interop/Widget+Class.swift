import CGtk4

/// What a widget's class does, and what every widget does that has no better idea.
extension UnsafeMutablePointer<GtkWidget> {
    /// The same object, as functions of GObject's take it.
    var object: UnsafeMutablePointer<GObject> { UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self) }

    /// The methods of the widget's class; nil only for what is no widget.
    var methods: UnsafeMutablePointer<GtkWidgetClass>? {
        UnsafeMutableRawPointer(pointee.parent_instance.g_type_instance.g_class)?
            .assumingMemoryBound(to: GtkWidgetClass.self)
    }

    /// Whether the widget's class has a measure of its own, and so does not leave it to a layout manager.
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

    /// The children, as they are at this moment, the lowest first.
    var children: [UnsafeMutablePointer<GtkWidget>] {
        Array(sequence(first: gtk_widget_get_first_child(self)) { $0.flatMap { gtk_widget_get_next_sibling($0) } })
            .compactMap(\.self)
    }

    /// Whether there is text to be read on the widget or on its children, but not in the menu that it may open.
    var hasText: Bool {
        if isA(gtk_label_get_type()) { return gtk_label_get_text(OpaquePointer(self)).map { $0.pointee != 0 } ?? false }
        return children.contains { !$0.isA(gtk_popover_get_type()) && $0.hasText }
    }

    private static let usualMethods = g_type_class_ref(gtk_widget_get_type())?
        .assumingMemoryBound(to: GtkWidgetClass.self)
}
