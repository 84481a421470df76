import CGtk4
import WebImage

/// The usual and the highlighted picture of a `GtkPicture` or `GtkImage`.
final class Highlight {
    /// The operation keys of the two.
    enum Key {
        static let image = ViewLoadKey.image.name
        static let highlightedImage = "highlightedImage"
    }

    private let widget: UnsafeMutablePointer<GtkWidget>
    let pictures = PaintableSwitch()
    private var row: (widget: UnsafeMutablePointer<GtkWidget>, connections: SignalConnections)?

    /// Whether the app has set the highlight; selection highlights as well.
    var isHighlighted = false {
        didSet { if isHighlighted != oldValue { pictures.update() } }
    }

    private static let key = "webimage-highlight"

    /// The highlight of `widget`; nil when it never had a highlighted picture.
    static func find(_ widget: UnsafeMutablePointer<GtkWidget>) -> Highlight? {
        AssociatedObject.find(key, on: widget)
    }

    /// The highlight of the widget of `place`, created at first use.
    static func of(_ place: any PaintableTarget) -> Highlight {
        AssociatedObject.of(key, on: place.widget) { Highlight(place) }
    }

    private init(_ place: any PaintableTarget) {
        widget = place.widget
        pictures.surface = { _ in place }
        pictures.choices = { [unowned self] in showsHighlighted ? [Key.highlightedImage, Key.image] : [Key.image] }
        let object = UnsafeMutableRawPointer(widget)
        connect(object, "state-flags-changed") { [weak self] in self?.pictures.update() }
        connect(object, "map") { [weak self] in self?.watchRow() }
        connect(object, "unmap") { [weak self] in self?.leaveRow() }
        if gtk_widget_get_mapped(widget) != 0 { watchRow() }
    }

    private var showsHighlighted: Bool { isHighlighted || widget.isSelected || row?.widget.isSelected == true }

    /// A list sets the selection on its rows, without a signal for the widgets within.
    private func watchRow() {
        leaveRow()
        guard let widget = widget.enclosingRow else { return }
        let connections = SignalConnections(UnsafeMutableRawPointer(widget))
        connections.add("state-flags-changed") { [weak self] in self?.pictures.update() }
        row = (widget, connections)
        pictures.update()
    }

    private func leaveRow() {
        row?.connections.cut()
        row = nil
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    fileprivate var isSelected: Bool {
        gtk_widget_get_state_flags(self).rawValue & GTK_STATE_FLAG_SELECTED.rawValue != 0
    }

    /// The row or cell around the widget.
    fileprivate var enclosingRow: UnsafeMutablePointer<GtkWidget>? {
        let lists = [
            gtk_list_box_get_type(), gtk_flow_box_get_type(), gtk_list_view_get_type(), gtk_grid_view_get_type(),
        ]
        return sequence(first: self) { gtk_widget_get_parent($0) }.first { widget in
            gtk_widget_get_parent(widget).map { parent in lists.contains { parent.isA($0) } } ?? false
        }
    }
}
