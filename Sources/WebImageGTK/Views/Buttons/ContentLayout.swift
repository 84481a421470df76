import CGtk4

/// How the children of a widget share its room: each gets all of it, stacked, as in a `GtkBinLayout`. Only a button's
/// label and the picture beside it stand side by side.
struct ContentLayout {
    typealias Widget = UnsafeMutablePointer<GtkWidget>

    private let widget: Widget
    private let layers: [Widget]
    private let row: (picture: Widget, label: Widget)?

    /// - Parameter excluded: A child that the caller lays out.
    init(of widget: Widget, without excluded: Widget? = nil) {
        self.widget = widget
        let visible = widget.children.filter { $0 != excluded && gtk_widget_should_layout($0) != 0 }
        let pair = ButtonContents.find(widget)?.besideLabel.flatMap { picture in
            widget.buttonChild.map { (picture: picture, label: $0) }
        }
        row = pair.flatMap { visible.contains($0.picture) && visible.contains($0.label) ? $0 : nil }
        layers = visible.filter { [row] in $0 != row?.picture && $0 != row?.label }
    }

    func extent(_ orientation: GtkOrientation, forSize: Int32) -> WidgetExtent {
        var extent = layers.reduce(into: WidgetExtent()) { $0.formUnion($1.extent(orientation, forSize: forSize)) }
        if let row { extent.formUnion(rowExtent(row, orientation, forSize)) }
        return extent
    }

    func allocate(width: Int32, height: Int32, baseline: Int32) {
        for layer in layers { gtk_widget_allocate(layer, width, height, baseline, nil) }
        guard let row else { return }
        let shares = shares(of: row, in: width)
        place(row.picture, shares.picture, height, -1)
        place(row.label, shares.label, height, baseline)
    }

    private func rowExtent(
        _ row: (picture: Widget, label: Widget), _ orientation: GtkOrientation, _ forSize: Int32
    ) -> WidgetExtent {
        if orientation == GTK_ORIENTATION_HORIZONTAL {
            let (picture, label) = (row.picture.extent(orientation), row.label.extent(orientation))
            return WidgetExtent(
                minimum: picture.minimum + ButtonRow.spacing + label.minimum,
                natural: picture.natural + ButtonRow.spacing + label.natural)
        }
        let shares = forSize < 0 ? nil : shares(of: row, in: forSize)
        var extent = row.picture.extent(orientation, forSize: shares?.picture.length ?? -1)
        extent.formUnion(row.label.extent(orientation, forSize: shares?.label.length ?? -1))
        return extent
    }

    private func shares(of row: (picture: Widget, label: Widget), in width: Int32) -> ButtonRow {
        let picture = row.picture.extent(GTK_ORIENTATION_HORIZONTAL)
        let label = row.label.extent(GTK_ORIENTATION_HORIZONTAL)
        return ButtonRow(
            picture: (picture.minimum, picture.natural), label: (label.minimum, label.natural),
            labelExpands: gtk_widget_compute_expand(row.label, GTK_ORIENTATION_HORIZONTAL) != 0,
            isRightToLeft: gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL, in: width)
    }

    private func place(_ widget: Widget, _ span: ButtonRow.Span, _ height: Int32, _ baseline: Int32) {
        var frame = GdkRectangle(x: span.origin, y: 0, width: span.length, height: height)
        gtk_widget_size_allocate(widget, &frame, baseline)
    }
}
