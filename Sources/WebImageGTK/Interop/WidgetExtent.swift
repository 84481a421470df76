import CGtk4

/// The minimum and natural length of a widget along one axis, as GTK measures them.
struct WidgetExtent {
    var minimum: Int32 = 0
    var natural: Int32 = 0
    var minimumBaseline: Int32 = -1
    var naturalBaseline: Int32 = -1

    /// Grows to hold both.
    mutating func formUnion(_ other: WidgetExtent) {
        minimum = max(minimum, other.minimum)
        natural = max(natural, other.natural)
        minimumBaseline = max(minimumBaseline, other.minimumBaseline)
        naturalBaseline = max(naturalBaseline, other.naturalBaseline)
    }
}

extension UnsafeMutablePointer<GtkWidget> {
    /// The extent through the widget's layout manager.
    func extent(_ orientation: GtkOrientation, forSize: Int32 = -1) -> WidgetExtent {
        var extent = WidgetExtent()
        gtk_widget_measure(
            self, orientation, forSize, &extent.minimum, &extent.natural, &extent.minimumBaseline,
            &extent.naturalBaseline)
        return extent
    }

    /// The extent that the widget's class measures, without its layout manager.
    func ownExtent(_ orientation: GtkOrientation, forSize: Int32 = -1) -> WidgetExtent {
        var extent = WidgetExtent()
        methods?.pointee.measure?(
            self, orientation, forSize, &extent.minimum, &extent.natural, &extent.minimumBaseline,
            &extent.naturalBaseline)
        return extent
    }
}
