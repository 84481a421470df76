import CGtk4

/// Measures a widget by its ``FixedSize``: a `GtkLayoutManager` whose class is registered with GObject at first use.
enum FixedSizeLayout {
    typealias Manager = UnsafeMutablePointer<GtkLayoutManager>

    /// A new layout manager with one reference, which `gtk_widget_set_layout_manager` takes.
    static func make() -> Manager {
        let object: UnsafeMutablePointer<GObject> = g_object_new_with_properties(type, 0, nil, nil)
        return UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkLayoutManager.self)
    }

    /// Whether `layout` is of this class.
    static func isOne(_ layout: Manager) -> Bool { layout.classType == type }

    private static let type: GType = g_type_register_static_simple(
        gtk_layout_manager_get_type(), "WebImageFixedSizeLayout", guint(MemoryLayout<GtkLayoutManagerClass>.size),
        { classPointer, _ in FixedSizeLayout.initializeClass(classPointer) },
        guint(MemoryLayout<GtkLayoutManager>.size), { _, _ in }, G_TYPE_FLAG_FINAL)

    private static func initializeClass(_ classPointer: gpointer?) {
        guard let methods = classPointer?.assumingMemoryBound(to: GtkLayoutManagerClass.self) else { return }
        methods.pointee.get_request_mode = { _, widget in
            // The size may have been let go since.
            guard let widget, FixedSize.find(widget)?.size == nil else { return GTK_SIZE_REQUEST_CONSTANT_SIZE }
            return widget.methods?.pointee.get_request_mode?(widget) ?? GTK_SIZE_REQUEST_CONSTANT_SIZE
        }
        methods.pointee.measure = { _, widget, orientation, forSize, minimum, natural, ascent, naturalAscent in
            guard let widget else { return }
            let extent =
                FixedSize.find(widget)?.extent(orientation, forSize: forSize)
                ?? widget.ownExtent(orientation, forSize: forSize)
            minimum?.pointee = extent.minimum
            natural?.pointee = extent.natural
            ascent?.pointee = extent.minimumBaseline
            naturalAscent?.pointee = extent.naturalBaseline
        }
        methods.pointee.allocate = { _, widget, width, height, baseline in
            guard let widget else { return }
            widget.methods?.pointee.size_allocate?(widget, width, height, baseline)
        }
    }
}
