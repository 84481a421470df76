import CGtk4

/// What assistive technologies are told of a widget. GTK's usual functions for it are variadic, which Swift cannot call,
/// and what an app has told them can only be found out by those that GTK has for test suites: they read what the widget
/// holds, and are there in every build of GTK.
extension UnsafeMutablePointer<GtkWidget> {
    /// Names the widget; nil takes the name back.
    func setAccessibleLabel(_ label: String?) {
        guard let label else { return gtk_accessible_reset_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL) { g_value_set_string(&$0, label) }
    }

    /// How far the widget's work has come, from 0 to 1; nil when nobody knows.
    func setAccessibleProgress(_ progress: Double?) {
        guard let progress else { return gtk_accessible_reset_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_MIN) { g_value_set_double(&$0, 0) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_MAX) { g_value_set_double(&$0, 1) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_NOW) { g_value_set_double(&$0, progress) }
    }

    /// Whether the widget is changing, so that it is better read out later.
    func setAccessibleBusy(_ isBusy: Bool) {
        var state = GTK_ACCESSIBLE_STATE_BUSY
        var value = GValue()
        gtk_accessible_state_init_value(state, &value)
        g_value_set_boolean(&value, isBusy ? 1 : 0)
        gtk_accessible_update_state_value(accessible, 1, &state, &value)
        g_value_unset(&value)
    }

    /// Whether somebody has said `property` of the widget.
    func hasAccessible(_ property: GtkAccessibleProperty) -> Bool {
        gtk_test_accessible_has_property(accessible, property) != 0
    }

    /// Whether other widgets, such as the text of a button, say what this one is called.
    var isLabelledByAnother: Bool {
        gtk_test_accessible_has_relation(accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY) != 0
    }

    private var accessible: OpaquePointer { OpaquePointer(self) }

    private func setAccessible(_ property: GtkAccessibleProperty, _ set: (inout GValue) -> Void) {
        var property = property
        var value = GValue()
        gtk_accessible_property_init_value(property, &value)
        set(&value)
        gtk_accessible_update_property_value(accessible, 1, &property, &value)
        g_value_unset(&value)
    }
}
