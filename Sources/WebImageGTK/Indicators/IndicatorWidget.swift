import CGtk4

/// The widget of a built-in indicator, kept alive together with the indicator.
final class IndicatorWidget {
    let pointer: UnsafeMutablePointer<GtkWidget>

    /// A new hidden widget of class `type` that takes no focus and no clicks from the view.
    init(_ type: GType, styleClasses: [String] = [], label: String) {
        let object = Self.make(type, role: GTK_ACCESSIBLE_ROLE_PROGRESS_BAR)
        g_object_ref_sink(UnsafeMutableRawPointer(object))
        pointer = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self)
        gtk_widget_set_visible(pointer, 0)
        gtk_widget_set_can_target(pointer, 0)
        gtk_widget_set_can_focus(pointer, 0)
        for name in ["webimage-indicator"] + styleClasses { gtk_widget_add_css_class(pointer, name) }
        pointer.setAccessibleLabel(label)
        IndicatorStyleSheet.serve(pointer)
    }

    /// Keeps an app's own widget.
    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        g_object_ref_sink(UnsafeMutableRawPointer(widget))
        pointer = widget
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// Invisible widgets are hidden from assistive technologies too.
    var isVisible: Bool {
        get { gtk_widget_get_visible(pointer) != 0 }
        set { gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
    }

    /// Makes it `points` wide and high, 1 at least.
    func setSquare(_ points: Int) {
        let side = gint(clamping: max(1, points))
        gtk_widget_set_size_request(pointer, side, side)
    }

    /// GTK accepts an accessible role only while it constructs a widget.
    private static func make(_ type: GType, role: GtkAccessibleRole) -> UnsafeMutablePointer<GObject> {
        var value = GValue()
        g_value_init(&value, gtk_accessible_role_get_type())
        g_value_set_enum(&value, gint(role.rawValue))
        defer { g_value_unset(&value) }
        return "accessible-role".withCString { name in
            var names: [UnsafePointer<CChar>?] = [name]
            return g_object_new_with_properties(type, 1, &names, &value)
        }
    }
}
