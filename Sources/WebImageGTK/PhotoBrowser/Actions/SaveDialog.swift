import CGtk4

/// The desktop's dialog for a place to save at.
enum SaveDialog {
    /// - Parameter chosen: Gets the place; not called when the person changes their mind.
    static func open(
        over widget: UnsafeMutablePointer<GtkWidget>, name: String, chosen: @escaping (WritablePlace) -> Void
    ) {
        guard
            let dialog = gtk_file_chooser_native_new(
                "Save the Photo", widget.window, GTK_FILE_CHOOSER_ACTION_SAVE, "Save", "Cancel")
        else { return }
        gtk_file_chooser_set_current_name(dialog, name)
        let native: UnsafeMutablePointer<GtkNativeDialog> = cast(dialog)
        gtk_native_dialog_set_modal(native, 1)
        connect(dialog, "response") { (response: Int) in
            defer { g_object_unref(UnsafeMutableRawPointer(dialog)) }
            guard response == Int(GTK_RESPONSE_ACCEPT.rawValue), let file = gtk_file_chooser_get_file(dialog)
            else { return }
            defer { g_object_unref(UnsafeMutableRawPointer(file)) }
            chosen(WritablePlace(file))
        }
        gtk_native_dialog_show(native)
    }
}
