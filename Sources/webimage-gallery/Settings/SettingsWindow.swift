import CGtk4
import WebImage
import WebImageGTK

/// The settings: how pictures come, and what the caches keep.
final class SettingsWindow {
    let window: Widget = gtk_window_new()
    private unowned let gallery: GalleryWindow
    private let usage = Make.label().classes("detail")
    let transitions: Widget
    let limits: Widget
    let clearButton: Widget = gtk_button_new_with_label("Clear the caches")

    init(_ gallery: GalleryWindow) {
        self.gallery = gallery
        transitions = Self.dropDown(CellTransition.allCases.map(\.title))
        limits = Self.dropDown(DiskLimit.allCases.map(\.title))
        build()
        select(transitions, CellTransition.allCases.firstIndex(of: gallery.transition))
        select(limits, DiskLimit.allCases.firstIndex(of: gallery.diskLimit))
        connectParts()
    }

    func present() {
        showUsage()
        gtk_window_present(cast(window))
    }

    private func build() {
        let gtkWindow: UnsafeMutablePointer<GtkWindow> = cast(window)
        gtk_window_set_title(gtkWindow, "Settings")
        gtk_window_set_transient_for(gtkWindow, cast(gallery.window))
        gtk_window_set_destroy_with_parent(gtkWindow, 1)
        gtk_window_set_hide_on_close(gtkWindow, 1)
        gtk_window_set_resizable(gtkWindow, 0)
        let rows = Make.box(
            GTK_ORIENTATION_VERTICAL, spacing: 14, row("Pictures come with", transitions),
            row("The cache on disk has at most", limits), row("In it now", usage), clearButton
        ).classes("settings")
        gtk_window_set_child(gtkWindow, rows)
        _ = window.classes("gallery")
        window.onEscape("window.close")
    }

    private func row(_ title: String, _ control: Widget) -> Widget {
        let label = Make.label(title)
        gtk_widget_set_valign(label, GTK_ALIGN_CENTER)
        gtk_label_set_mnemonic_widget(OpaquePointer(label), control)
        return Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 24, label, Make.spacer(), control)
    }

    private func connectParts() {
        connect(UnsafeMutableRawPointer(transitions), "notify::selected") { [weak self] in
            guard let self, let choice = choice(transitions, of: CellTransition.allCases) else { return }
            gallery.transition = choice
        }
        connect(UnsafeMutableRawPointer(limits), "notify::selected") { [weak self] in
            guard let self, let choice = choice(limits, of: DiskLimit.allCases) else { return }
            gallery.diskLimit = choice
        }
        connect(UnsafeMutableRawPointer(clearButton), "clicked") { [weak self] in self?.clear() }
    }

    private func clear() {
        Task {
            await gallery.cache.clear(.all)
            showUsage()
        }
    }

    private func showUsage() {
        Task { [weak self, cache = gallery.cache] in
            let found = await cache.usage()
            guard let self else { return }
            let files = found.count == 1 ? "file" : "files"
            setText(usage, "\(found.byteCount.inMegabytes) in \(found.count) \(files)")
        }
    }

    /// The text beside the caches' limit.
    var usageText: String { String(cString: gtk_label_get_text(OpaquePointer(usage))) }

    private static func dropDown(_ titles: [String]) -> Widget {
        let copies = titles.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return gtk_drop_down_new_from_strings(copies.map { UnsafePointer($0) } + [nil])
    }

    private func select(_ list: Widget, _ index: Int?) {
        gtk_drop_down_set_selected(OpaquePointer(list), index.map { guint($0) } ?? guint.max)
    }

    private func choice<Choice>(_ list: Widget, of choices: [Choice]) -> Choice? {
        let index = Int(gtk_drop_down_get_selected(OpaquePointer(list)))
        return choices.indices.contains(index) ? choices[index] : nil
    }
}
