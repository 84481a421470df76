import CGtk4

/// The message of the window in place of pictures.
final class MessagePage {
    let widget: Widget
    private let title = Make.label().classes("message-title")
    private let detail = Make.label().classes("message-detail")

    init() {
        let icon: Widget = gtk_image_new_from_icon_name("image-x-generic-symbolic")
        widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 10, icon, title, detail).classes("message")
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        for label in [title, detail] {
            gtk_label_set_wrap(OpaquePointer(label), 1)
            gtk_label_set_wrap_mode(OpaquePointer(label), PANGO_WRAP_WORD_CHAR)
            gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_CENTER)
            gtk_label_set_xalign(OpaquePointer(label), 0.5)
            gtk_label_set_max_width_chars(OpaquePointer(label), 60)
        }
    }

    func show(_ title: String, _ detail: String) {
        setText(self.title, title)
        setText(self.detail, detail)
    }

    var text: String { String(cString: gtk_label_get_text(OpaquePointer(title))) }
}
