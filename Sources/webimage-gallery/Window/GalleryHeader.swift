import CGtk4
import WebImageGTK

/// The header bar: the title or the entry for a search, the menus, and the button that turns the page.
final class GalleryHeader {
    let widget: Widget = gtk_header_bar_new()
    /// Shows the next page.
    let pageButton: Widget = gtk_button_new_from_icon_name("go-next-symbolic")
    /// One menu for all: a window as narrow as a phone has no room for two.
    private let menuButton = ActionMenu.button(
        "open-menu-symbolic", "Order and more", GalleryHeader.orders + GalleryHeader.more)
    private let searchButton: Widget = gtk_button_new_from_icon_name("system-search-symbolic")
    let entry: Widget = gtk_search_entry_new()
    /// Called with what is looked for; with nothing when the search is over.
    var searched: (String) -> Void = { _ in }
    /// Called when the entry is left for what was found: by Enter or Down.
    var chosen: () -> Void = {}
    /// Called when the search is over.
    var ended: () -> Void = {}
    private let titles: Widget = gtk_stack_new()
    private let title: Widget
    /// The box with the title or the entry.
    var titleBox: Widget { titles }
    private let subtitle = Make.label(cut: PANGO_ELLIPSIZE_END).classes("subtitle")

    private static let orders: [[(title: String, action: String)]] = [
        [
            ("As given", "win.sort::given"), ("Name", "win.sort::name"), ("Date", "win.sort::date"),
            ("Size", "win.sort::size"),
        ],
        [("Descending", "win.descending")],
    ]
    private static let more: [[(title: String, action: String)]] = [
        [("Load everything again", "win.reload"), ("Read again from disk", "win.forget")],
        [("Settings", "win.settings")],
    ]

    init() {
        let name = Make.label("WebImage Gallery", cut: PANGO_ELLIPSIZE_END).classes("title")
        for label in [name, subtitle] { gtk_label_set_xalign(OpaquePointer(label), 0.5) }
        title = Make.box(GTK_ORIENTATION_VERTICAL, name, subtitle)
        build()
        connectSearch()
    }

    /// Leaves only the button that closes the window, so that the title has room.
    func setNarrow(_ isNarrow: Bool) {
        gtk_header_bar_set_decoration_layout(OpaquePointer(widget), isNarrow ? ":close" : nil)
    }

    func setSubtitle(_ text: String) { setText(subtitle, text) }
    /// The text below the title.
    var subtitleText: String { String(cString: gtk_label_get_text(OpaquePointer(subtitle))) }

    private func build() {
        gtk_widget_set_valign(title, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(entry, GTK_ALIGN_CENTER)
        // The entry must not keep the window from becoming narrow.
        gtk_editable_set_width_chars(OpaquePointer(entry), 4)
        gtk_editable_set_max_width_chars(OpaquePointer(entry), 40)
        gtk_stack_set_hhomogeneous(OpaquePointer(titles), 0)
        for child in [title, entry] { gtk_stack_add_child(OpaquePointer(titles), child) }
        gtk_header_bar_set_title_widget(OpaquePointer(widget), titles)
        searchButton.setTitle("Search in names")
        for button in [searchButton, pageButton] { gtk_widget_set_valign(button, GTK_ALIGN_CENTER) }
        connect(UnsafeMutableRawPointer(searchButton), "clicked") { [weak self] in self?.toggleSearch() }
        gtk_header_bar_pack_start(OpaquePointer(widget), searchButton)
        gtk_header_bar_pack_end(OpaquePointer(widget), menuButton)
        gtk_header_bar_pack_end(OpaquePointer(widget), pageButton)
    }

    // MARK: Search

    /// Whether the entry is there.
    var isSearching: Bool { gtk_stack_get_visible_child(OpaquePointer(titles)) == entry }

    private func toggleSearch() { if isSearching { endSearch() } else { beginSearch() } }

    /// Begins a search, or goes back to its entry.
    func beginSearch() {
        gtk_stack_set_visible_child(OpaquePointer(titles), entry)
        gtk_widget_grab_focus(entry)
    }

    /// Its buttons, in their order.
    var buttons: [Widget] { [searchButton, pageButton, menuButton] }

    /// Shows all pictures again.
    func endSearch() {
        guard isSearching else { return }
        gtk_editable_set_text(OpaquePointer(entry), "")
        gtk_stack_set_visible_child(OpaquePointer(titles), title)
        searched("")
        ended()
    }

    private func connectSearch() {
        let object = UnsafeMutableRawPointer(entry)
        connect(object, "search-changed") { [weak self] in self?.search() }
        connect(object, "stop-search") { [weak self] in self?.endSearch() }
        connect(object, "activate") { [weak self] in self?.choose() }
        let keys: OpaquePointer = gtk_event_controller_key_new()
        gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
        connect(keys, "key-pressed") { [weak self] (key: Int) in
            guard [GDK_KEY_Down, GDK_KEY_KP_Down].contains(Int32(key)) else { return false }
            self?.choose()
            return true
        }
        gtk_widget_add_controller(entry, keys)
    }

    private func search() { searched(String(cString: gtk_editable_get_text(OpaquePointer(entry)))) }

    /// GTK waits a moment after each letter before it says that the text has changed.
    private func choose() {
        search()
        chosen()
    }
}
