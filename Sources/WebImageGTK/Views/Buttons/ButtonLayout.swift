import CGtk4

/// Lays out a button that has both a label of the app's and a picture of ours: a `GtkLayoutManager` whose class is
/// registered with GObject when first used.
///
/// A button lays all of its children over one another. Here the picture and the button's child stand side by side; whatever
/// else is in the button still gets all of it.
enum ButtonLayout {
    private typealias Widget = UnsafeMutablePointer<GtkWidget>

    private struct Extent {
        var minimum: Int32 = 0
        var natural: Int32 = 0

        /// Room for either.
        func union(_ other: Extent) -> Extent {
            Extent(minimum: max(minimum, other.minimum), natural: max(natural, other.natural))
        }

        /// Room for both.
        func beside(_ other: Extent) -> Extent {
            Extent(
                minimum: minimum + ButtonRow.spacing + other.minimum,
                natural: natural + ButtonRow.spacing + other.natural)
        }
    }

    /// Lets `button` be laid out in this way.
    static func install(on button: UnsafeMutablePointer<GtkWidget>) {
        guard let current = gtk_widget_get_layout_manager(button), !isOurs(current) else { return }
        let object: UnsafeMutablePointer<GObject> = g_object_new_with_properties(type, 0, nil, nil)
        // The button takes the reference.
        gtk_widget_set_layout_manager(
            button, UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkLayoutManager.self))
    }

    private static func isOurs(_ layout: UnsafeMutablePointer<GtkLayoutManager>) -> Bool {
        layout.withMemoryRebound(to: GTypeInstance.self, capacity: 1) { g_type_check_instance_is_a($0, type) != 0 }
    }

    private static let type: GType = g_type_register_static_simple(
        gtk_layout_manager_get_type(), "WebImageButtonLayout", guint(MemoryLayout<GtkLayoutManagerClass>.size),
        { classPointer, _ in ButtonLayout.initializeClass(classPointer) },
        guint(MemoryLayout<GtkLayoutManager>.size), { _, _ in }, G_TYPE_FLAG_FINAL)

    private static func initializeClass(_ classPointer: gpointer?) {
        guard let methods = classPointer?.assumingMemoryBound(to: GtkLayoutManagerClass.self) else { return }
        methods.pointee.measure = { _, widget, orientation, forSize, minimum, natural, _, _ in
            guard let widget else { return }
            let extent = ButtonLayout.measure(widget, orientation, forSize)
            minimum?.pointee = extent.minimum
            natural?.pointee = extent.natural
        }
        methods.pointee.allocate = { _, widget, width, height, _ in
            guard let widget else { return }
            ButtonLayout.allocate(widget, width, height)
        }
    }

    /// The two that stand side by side; nil when one of them is not to be seen.
    private static func row(of button: Widget) -> (picture: Widget, label: Widget)? {
        guard let picture = ButtonContents.find(button)?.besideLabel, let label = button.buttonChild,
            gtk_widget_should_layout(picture) != 0, gtk_widget_should_layout(label) != 0
        else { return nil }
        return (picture, label)
    }

    private static func measure(_ button: Widget, _ orientation: GtkOrientation, _ forSize: Int32) -> Extent {
        let row = row(of: button)
        var extent = Extent()
        for child in button.children where child != row?.picture && child != row?.label {
            extent = extent.union(wanted(child, orientation, forSize))
        }
        guard let row else { return extent }
        if orientation == GTK_ORIENTATION_HORIZONTAL {
            let picture = wanted(row.picture, orientation, forSize)
            return extent.union(picture.beside(wanted(row.label, orientation, forSize)))
        }
        let shares = forSize < 0 ? nil : share(forSize, of: row, in: button)
        return extent.union(wanted(row.picture, orientation, shares?.picture.length ?? -1))
            .union(wanted(row.label, orientation, shares?.label.length ?? -1))
    }

    private static func wanted(_ widget: Widget, _ orientation: GtkOrientation, _ forSize: Int32) -> Extent {
        guard gtk_widget_should_layout(widget) != 0 else { return Extent() }
        var extent = Extent()
        gtk_widget_measure(widget, orientation, forSize, &extent.minimum, &extent.natural, nil, nil)
        return extent
    }

    private static func share(_ width: Int32, of row: (picture: Widget, label: Widget), in button: Widget) -> ButtonRow
    {
        let picture = wanted(row.picture, GTK_ORIENTATION_HORIZONTAL, -1)
        let label = wanted(row.label, GTK_ORIENTATION_HORIZONTAL, -1)
        return ButtonRow(
            picture: (picture.minimum, picture.natural), label: (label.minimum, label.natural),
            labelExpands: gtk_widget_compute_expand(row.label, GTK_ORIENTATION_HORIZONTAL) != 0,
            isRightToLeft: gtk_widget_get_direction(button) == GTK_TEXT_DIR_RTL, in: width)
    }

    private static func allocate(_ button: Widget, _ width: Int32, _ height: Int32) {
        let row = row(of: button)
        for child in button.children where child != row?.picture && child != row?.label {
            if gtk_widget_should_layout(child) != 0 { gtk_widget_allocate(child, width, height, -1, nil) }
        }
        guard let row else { return }
        let shares = share(width, of: row, in: button)
        place(row.picture, shares.picture, height)
        place(row.label, shares.label, height)
    }

    private static func place(_ widget: Widget, _ span: ButtonRow.Span, _ height: Int32) {
        var frame = GdkRectangle(x: span.origin, y: 0, width: span.length, height: height)
        gtk_widget_size_allocate(widget, &frame, -1)
    }
}
