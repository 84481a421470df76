import CGtk4
import WebImageGTK

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension Widget {
    /// Adds CSS classes.
    func classes(_ names: String...) -> Widget {
        for name in names { gtk_widget_add_css_class(self, name) }
        return self
    }

    /// Adds or removes a CSS class.
    func setClass(_ name: String, _ isOn: Bool) {
        if isOn { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
    }

    /// Sets what a button with an icon does: for the tooltip, and for screen readers.
    func setTitle(_ title: String) {
        gtk_widget_set_tooltip_text(self, title)
        setAccessibleLabel(title)
    }

    /// Performs an action when Escape is pressed within this widget, and nothing there has taken it.
    func onEscape(_ action: String) {
        let controller: OpaquePointer = gtk_shortcut_controller_new()
        let key: OpaquePointer = gtk_keyval_trigger_new(guint(GDK_KEY_Escape), GdkModifierType(rawValue: 0))
        gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(key, gtk_named_action_new(action)))
        gtk_widget_add_controller(self, controller)
    }
}

/// Creates this window's widgets.
enum Make {
    static func box(_ orientation: GtkOrientation, spacing: Int32 = 0, _ children: Widget...) -> Widget {
        let box: Widget = gtk_box_new(orientation, spacing)
        for child in children { gtk_box_append(cast(box), child) }
        return box
    }

    /// A line of text; with `cut`, it is ellipsized where space is short.
    static func label(_ text: String = "", cut: PangoEllipsizeMode = PANGO_ELLIPSIZE_NONE) -> Widget {
        let label: Widget = gtk_label_new(text)
        gtk_label_set_ellipsize(OpaquePointer(label), cut)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        return label
    }

    static func spacer() -> Widget {
        let spacer = box(GTK_ORIENTATION_HORIZONTAL)
        gtk_widget_set_hexpand(spacer, 1)
        return spacer
    }
}

func setText(_ label: Widget, _ text: String) { gtk_label_set_text(OpaquePointer(label), text) }
