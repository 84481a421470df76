import CGtk4
import FoundationEssentials

/// What assistive technologies call a widget: as the app says, or as the file of its picture is called.
///
/// A name that the app has given the widget in GTK's own way stays.
final class AccessibleName {
    private let find: () -> UnsafeMutablePointer<GtkWidget>?
    /// The name that is from here; nil for none.
    private var given: String?

    /// - Parameter find: Finds the widget, which may not be there yet; see ``update()``.
    init(of find: @autoclosure @escaping () -> UnsafeMutablePointer<GtkWidget>?) { self.find = find }

    /// What the app calls the widget; nil for the name of the file.
    var label: String? {
        didSet { update() }
    }

    /// Where the picture comes from.
    var url: URL? {
        didSet { if url != oldValue { update() } }
    }

    /// Names the widget; once more when it was not there before.
    func update() {
        guard let widget = find() else { return }
        let name = label ?? (isNamedByApp(widget) ? nil : url?.fileName)
        guard let name else { return yield(widget) }
        widget.setAccessibleLabel(name)
        given = name
    }

    /// Whether the app has named or described the widget, before or after a name was given here.
    private func isNamedByApp(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        if widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION) || widget.isLabelledByAnother { return true }
        guard widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL) else { return false }
        return given.map { webimage_is_called(widget, $0) == 0 } ?? true
    }

    /// Takes the name back that is from here, if it is still there.
    private func yield(_ widget: UnsafeMutablePointer<GtkWidget>) {
        defer { given = nil }
        guard let given, widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL), webimage_is_called(widget, given) != 0
        else { return }
        widget.setAccessibleLabel(nil)
    }
}

extension URL {
    /// The last part of the path, as people read it; nil without one, and for a URL that holds the picture itself.
    fileprivate var fileName: String? {
        guard scheme?.lowercased() != "data" else { return nil }
        let name = lastPathComponent
        return name.isEmpty || name == "/" ? nil : name
    }
}
