import CGtk4
import FoundationEssentials

/// The accessible label of a widget: the app's, or the file name of its picture.
///
/// A label that the app has set through GTK stays.
final class AccessibleName {
    private let find: () -> UnsafeMutablePointer<GtkWidget>?
    /// The label that this object has set; nil for none.
    private var given: String?

    /// - Parameter find: Finds the widget, which may not exist yet; see ``update()``.
    init(of find: @autoclosure @escaping () -> UnsafeMutablePointer<GtkWidget>?) { self.find = find }

    /// The app's label; nil for the file name.
    var label: String? {
        didSet { update() }
    }

    /// The URL of the picture.
    var url: URL? {
        didSet { if url != oldValue { update() } }
    }

    /// Labels the widget; called again when the widget may have been created since.
    func update() {
        guard let widget = find() else { return }
        let name = label ?? (isNamedByApp(widget) ? nil : url?.fileName)
        guard let name else { return yield(widget) }
        widget.setAccessibleLabel(name)
        given = name
    }

    /// Whether the app has labelled or described the widget, before or after this object has.
    private func isNamedByApp(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        if widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION) || widget.isLabelledByAnother { return true }
        guard widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL) else { return false }
        return given.map { webimage_is_called(widget, $0) == 0 } ?? true
    }

    /// Removes the label that this object has set, if it is still there.
    private func yield(_ widget: UnsafeMutablePointer<GtkWidget>) {
        defer { given = nil }
        guard let given, widget.hasAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL), webimage_is_called(widget, given) != 0
        else { return }
        widget.setAccessibleLabel(nil)
    }
}

extension URL {
    /// The last path component, without percent encoding; nil without a path, and for a `data:` URL.
    fileprivate var fileName: String? {
        guard scheme?.lowercased() != "data" else { return nil }
        let name = lastPathComponent
        return name.isEmpty || name == "/" ? nil : name
    }
}
