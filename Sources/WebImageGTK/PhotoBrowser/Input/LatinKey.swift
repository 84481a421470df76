import CGtk4

/// The Latin letter of a key in another layout of the keyboard than the current one; nil where the current one has a Latin
/// letter for it, such as a Polish one, whose other letters are typed with AltGr.
///
/// - Parameters:
///   - code: The key's place on the keyboard.
///   - group: The current layout.
func latinLetter(ofCode code: guint, outside group: guint, on widget: UnsafeMutablePointer<GtkWidget>) -> guint? {
    var keys: UnsafeMutablePointer<GdkKeymapKey>?
    var values: UnsafeMutablePointer<guint>?
    var count: gint = 0
    let display = gtk_widget_get_display(widget)
    guard gdk_display_map_keycode(display, code, &keys, &values, &count) != 0, let keys, let values else { return nil }
    defer {
        g_free(keys)
        g_free(values)
    }
    let letters = (0..<Int(count)).filter { keys[$0].level == 0 && values[$0].isLatinLetter }
    return letters.contains { keys[$0].group == gint(group) } ? nil : letters.first.map { values[$0] }
}

extension guint {
    fileprivate var isLatinLetter: Bool { (guint(GDK_KEY_a)...guint(GDK_KEY_z)).contains(self) }
}
