import CGtk4

/// Emits a signal that has no arguments, as GTK does when a person has done something.
///
/// - Parameter type: The class or interface that has the signal.
@MainActor
func emit(_ signal: String, of type: GType, from widget: UnsafeMutablePointer<GtkWidget>) {
    emit(signal, of: type, from: OpaquePointer(widget))
}

/// The same for an object that is no widget.
@MainActor
func emit(_ signal: String, of type: GType, from object: OpaquePointer) {
    var instance = GValue()
    g_value_init(&instance, type)
    g_value_set_object(&instance, UnsafeMutableRawPointer(object))
    g_signal_emitv(&instance, g_signal_lookup(signal, type), 0, nil)
    g_value_unset(&instance)
}

/// Presses a button.
@MainActor
func press(_ button: UnsafeMutablePointer<GtkWidget>) { emit("clicked", of: gtk_button_get_type(), from: button) }
