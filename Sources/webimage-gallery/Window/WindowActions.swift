import CGtk4
import WebImage
import WebImageGTK

/// The actions of the window, which its menus and keys name with `win.` before them.
final class WindowActions {
    private let map: OpaquePointer
    private let application: UnsafeMutablePointer<GtkApplication>

    init(_ window: Widget, _ application: UnsafeMutablePointer<GtkApplication>) {
        map = OpaquePointer(window)
        self.application = application
    }

    /// An action that is done, with the keys for it: `<Control>f`.
    func add(_ name: String, keys: String? = nil, _ body: @escaping () -> Void) {
        let action = insert(g_simple_action_new(name, nil))
        connect(UnsafeMutableRawPointer(action), "activate", body)
        guard let keys else { return }
        let copy = strdup(keys)
        defer { free(copy) }
        var list: [UnsafePointer<CChar>?] = [UnsafePointer(copy), nil]
        gtk_application_set_accels_for_action(application, "win.\(name)", &list)
    }

    /// An action that is on or off.
    func add(_ name: String, isOn: Bool, changed: @escaping (Bool) -> Void) {
        let action = insert(g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)))
        follow(action) { changed(g_variant_get_boolean($0) != 0) }
    }

    /// A choice: `win.name::choice`.
    func add(_ name: String, choice: String, changed: @escaping (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        let action = insert(g_simple_action_new_stateful(name, type, g_variant_new_string(choice)))
        follow(action) { changed(String(cString: g_variant_get_string($0, nil))) }
    }

    private func insert(_ action: OpaquePointer) -> OpaquePointer {
        g_action_map_add_action(map, action)
        // The map keeps it.
        g_object_unref(UnsafeMutableRawPointer(action))
        return action
    }

    private func follow(_ action: OpaquePointer, _ body: @escaping (OpaquePointer) -> Void) {
        connect(UnsafeMutableRawPointer(action), "notify::state") {
            guard let state = g_action_get_state(action) else { return }
            defer { g_variant_unref(state) }
            body(state)
        }
    }
}

extension WindowActions {
    /// The actions of menus and keys.
    func addAll(to window: GalleryWindow) {
        add("search", keys: "<Control>f") { [weak window] in window?.header.beginSearch() }
        add("end-search") { [weak window] in window?.header.endSearch() }
        add("reload", keys: "<Control>r") { [weak window] in window?.refreshed() }
        add("forget") { [weak window] in window?.reload() }
        add("settings", keys: "<Control>comma") { [weak window] in window?.showSettings() }
        add("sort", choice: window.order.key.rawValue) { [weak window] in
            if let key = PictureOrder.Key(rawValue: $0) { window?.order.key = key }
        }
        add("descending", isOn: window.order.isDescending) { [weak window] in window?.order.isDescending = $0 }
    }
}

/// A menu of actions.
enum ActionMenu {
    /// One section for each list of titles and actions. The caller's is the only reference.
    static func make(_ sections: [[(title: String, action: String)]]) -> OpaquePointer {
        let menu: OpaquePointer = g_menu_new()
        for items in sections {
            let section: OpaquePointer = g_menu_new()
            for item in items { g_menu_append(section, item.title, item.action) }
            g_menu_append_section(menu, nil, cast(section))
            g_object_unref(UnsafeMutableRawPointer(section))
        }
        return menu
    }

    /// A button that opens such a menu.
    static func button(
        _ icon: String, _ tooltip: String, _ sections: [[(title: String, action: String)]]
    ) -> Widget {
        let button: Widget = gtk_menu_button_new()
        let menu = make(sections)
        gtk_menu_button_set_menu_model(OpaquePointer(button), cast(menu))
        g_object_unref(UnsafeMutableRawPointer(menu))
        gtk_menu_button_set_icon_name(OpaquePointer(button), icon)
        button.setTitle(tooltip)
        // The button that gets the focus is within the other one.
        gtk_widget_get_first_child(button).map { $0.setAccessibleLabel(tooltip) }
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        return button
    }
}
