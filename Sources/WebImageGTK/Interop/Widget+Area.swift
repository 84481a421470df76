import CGtk4
import WebImage

extension UnsafeMutablePointer<GtkWidget> {
    /// The size of its area.
    var pointSize: PointSize {
        PointSize(width: Double(gtk_widget_get_width(self)), height: Double(gtk_widget_get_height(self)))
    }

    /// The area of the widget in the coordinates of another one; nil where they have no window in common.
    func area(in other: UnsafeMutablePointer<GtkWidget>) -> PointRect? {
        var x = 0.0
        var y = 0.0
        guard gtk_widget_translate_coordinates(self, other, 0, 0, &x, &y) != 0 else { return nil }
        return PointRect(
            x: x, y: y, width: Double(gtk_widget_get_width(self)), height: Double(gtk_widget_get_height(self)))
    }
}
