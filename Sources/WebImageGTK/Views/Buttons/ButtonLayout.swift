import CGtk4

/// Lays out a button that has both a label of the app's and a picture of this library: a `GtkLayoutManager` whose class
/// is registered with GObject at first use.
enum ButtonLayout {
    /// Sets this layout on `button`, unless the app has replaced GTK's own.
    static func install(on button: UnsafeMutablePointer<GtkWidget>) {
        guard let current = gtk_widget_get_layout_manager(button), isBinLayout(current) else { return }
        let object: UnsafeMutablePointer<GObject> = g_object_new_with_properties(type, 0, nil, nil)
        // `gtk_widget_set_layout_manager` takes the reference.
        gtk_widget_set_layout_manager(
            button, UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkLayoutManager.self))
    }

    /// Whether `layout` may be replaced without loss: it has no settings and does no more than ``ContentLayout`` does.
    static func isReplaceable(_ layout: UnsafeMutablePointer<GtkLayoutManager>) -> Bool {
        isBinLayout(layout) || layout.classType == type
    }

    private static func isBinLayout(_ layout: UnsafeMutablePointer<GtkLayoutManager>) -> Bool {
        layout.classType == gtk_bin_layout_get_type()
    }

    private static let type: GType = g_type_register_static_simple(
        gtk_layout_manager_get_type(), "WebImageButtonLayout", guint(MemoryLayout<GtkLayoutManagerClass>.size),
        { classPointer, _ in ButtonLayout.initializeClass(classPointer) },
        guint(MemoryLayout<GtkLayoutManager>.size), { _, _ in }, G_TYPE_FLAG_FINAL)

    private static func initializeClass(_ classPointer: gpointer?) {
        guard let methods = classPointer?.assumingMemoryBound(to: GtkLayoutManagerClass.self) else { return }
        methods.pointee.measure = { _, widget, orientation, forSize, minimum, natural, ascent, naturalAscent in
            guard let widget else { return }
            let extent = ContentLayout(of: widget).extent(orientation, forSize: forSize)
            minimum?.pointee = extent.minimum
            natural?.pointee = extent.natural
            ascent?.pointee = extent.minimumBaseline
            naturalAscent?.pointee = extent.naturalBaseline
        }
        methods.pointee.allocate = { _, widget, width, height, baseline in
            guard let widget else { return }
            ContentLayout(of: widget).allocate(width: width, height: height, baseline: baseline)
        }
    }
}

extension UnsafeMutablePointer<GtkLayoutManager> {
    var classType: GType? { pointee.parent_instance.g_type_instance.g_class?.pointee.g_type }
}
