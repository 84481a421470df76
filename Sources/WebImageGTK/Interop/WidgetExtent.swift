import CGtk4

/// What a widget asks for along one axis, as GTK's measuring tells it.
struct WidgetExtent {
    var minimum: Int32 = 0
    var natural: Int32 = 0
    var minimumBaseline: Int32 = -1
    var naturalBaseline: Int32 = -1

    /// Room for either.
    mutating func formUnion(_ other: WidgetExtent) {
        minimum = max(minimum, other.minimum)
        natural = max(natural, other.natural)
        minimumBaseline = max(minimumBaseline, other.minimumBaseline)
        naturalBaseline = max(naturalBaseline, other.naturalBaseline)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// What the widget asks for, by whatever lays it out.
    func extent(_ orientation: GtkOrientation, forSize: Int32 = -1) -> WidgetExtent {
        var extent = WidgetExtent()
        gtk_widget_measure(
            self, orientation, forSize, &extent.minimum, &extent.natural, &extent.minimumBaseline,
            &extent.naturalBaseline)
        return extent
    }

    /// What the widget's class asks for, whoever lays the widget out.
    func ownExtent(_ orientation: GtkOrientation, forSize: Int32 = -1) -> WidgetExtent {
        var extent = WidgetExtent()
        methods?.pointee.measure?(
            self, orientation, forSize, &extent.minimum, &extent.natural, &extent.minimumBaseline,
            &extent.naturalBaseline)
        return extent
    }
}
