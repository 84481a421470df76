import CGtk4

/// A widget's accessible properties. GTK's usual setters are variadic, which Swift cannot call. Only GTK's functions
/// for test suites read what an app has set; every build of GTK has them.
extension UnsafeMutablePointer<GtkWidget> {
    /// Names the widget; nil removes the name.
    package func setAccessibleLabel(_ label: String?) {
        guard let label else { return gtk_accessible_reset_property(accessible, GTK_ACCESSIBLE_PROPERTY_LABEL) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL) { g_value_set_string(&$0, label) }
    }

    /// The progress of the widget's work, from 0 to 1; nil while it is unknown.
    func setAccessibleProgress(_ progress: Double?) {
        guard let progress else { return gtk_accessible_reset_property(accessible, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_MIN) { g_value_set_double(&$0, 0) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_MAX) { g_value_set_double(&$0, 1) }
        setAccessible(GTK_ACCESSIBLE_PROPERTY_VALUE_NOW) { g_value_set_double(&$0, progress) }
    }

    /// Whether the widget is changing: screen readers then read it later.
    func setAccessibleBusy(_ isBusy: Bool) { setAccessible(GTK_ACCESSIBLE_STATE_BUSY, isBusy) }

    /// Whether screen readers pass the widget over, as when something covers it.
    func setAccessibleHidden(_ isHidden: Bool) { setAccessible(GTK_ACCESSIBLE_STATE_HIDDEN, isHidden) }

    private func setAccessible(_ state: GtkAccessibleState, _ isOn: Bool) {
        var state = state
        var value = GValue()
        gtk_accessible_state_init_value(state, &value)
        g_value_set_boolean(&value, isOn ? 1 : 0)
        gtk_accessible_update_state_value(accessible, 1, &state, &value)
        g_value_unset(&value)
    }

    /// Whether the app has set `property` on the widget.
    func hasAccessible(_ property: GtkAccessibleProperty) -> Bool {
        gtk_test_accessible_has_property(accessible, property) != 0
    }

    /// Whether other widgets, such as a button's text, label this one.
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
