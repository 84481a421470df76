import CGtk4

/// The menu of the button for actions.
final class BrowserMenu {
    private let popover: UnsafeMutablePointer<GtkWidget> = gtk_popover_new()
    var closed: () -> Void = {}
    private var connections: [SignalConnection] = []

    typealias Item = (title: String, perform: () -> Void)

    init(on button: UnsafeMutablePointer<GtkWidget>, _ items: [Item]) {
        let box = UnsafeMutablePointer<GtkWidget>.box(GTK_ORIENTATION_VERTICAL)
        gtk_popover_set_child(cast(popover), box)
        gtk_widget_set_parent(popover, button)
        g_object_ref(popover)
        for item in items {
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label(item.title)
            gtk_button_set_has_frame(cast(button), 0)
            connect(UnsafeMutableRawPointer(button), "clicked") { [weak self] in
                self?.close()
                item.perform()
            }
            box.append(button)
        }
        connect(UnsafeMutableRawPointer(popover), "closed") { [weak self] in self?.closed() }
        connections = ["unmap", "destroy"].map { signal in
            SignalConnection(button, signal) { [weak self] in self?.end() }
        }
    }

    isolated deinit {
        detach()
        g_object_unref(popover)
    }

    func open() { gtk_popover_popup(cast(popover)) }

    private func close() { gtk_popover_popdown(cast(popover)) }

    /// The button goes, as to another bar: the menu is over.
    private func end() {
        let closed = closed
        detach()
        closed()
    }

    /// An open menu has grabbed the pointer, and must not be destroyed before it has let that go.
    private func detach() {
        closed = {}
        close()
        if gtk_widget_get_parent(popover) != nil { gtk_widget_unparent(popover) }
    }
}
