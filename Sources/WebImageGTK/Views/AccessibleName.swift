import CGtk4
import FoundationEssentials

/// What assistive technologies call a widget: as the app says, or as the file of its picture is called.
///
/// A name that the app has given the widget in GTK's own way stays.
final class AccessibleName {
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// Whether the name that the widget has is from here.
    private var isOurs = false

    /// The name of `widget`, which must be alive whenever a name is set.
    init(of widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    /// What the app calls the widget; nil for the name of the file.
    var label: String? {
        didSet { update() }
    }

    /// Where the picture comes from.
    var url: URL? {
        didSet { if url != oldValue { update() } }
    }

    private func update() {
        guard label != nil || isOurs || !widget.isDescribed else { return }
        let name = label ?? url?.fileName
        guard name != nil || isOurs else { return }
        widget.setAccessibleLabel(name)
        isOurs = name != nil
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
