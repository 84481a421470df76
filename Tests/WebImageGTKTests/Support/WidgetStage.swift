import CGtk4
import WebImage
import WebImageTestSupport

@testable import WebImageGTK

/// A window with one widget on the screen, in the centre of a box that keeps its size.
@MainActor
final class WidgetStage {
    let window: UnsafeMutablePointer<GtkWidget>
    let widget: UnsafeMutablePointer<GtkWidget>
    private let box: UnsafeMutablePointer<GtkWidget>

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        window = TestWindow.make()
        box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 200)
        gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
        gtk_window_set_child(window.of(GtkWindow.self), box)
        gtk_box_append(box.of(GtkBox.self), widget)
        gtk_window_present(window.of(GtkWindow.self))
    }

    var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    func remove() { gtk_box_remove(box.of(GtkBox.self), widget) }

    func add() { gtk_box_append(box.of(GtkBox.self), widget) }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    /// The position in the window of a point of a part of the widget.
    func point(_ x: Double, _ y: Double, of part: UnsafeMutablePointer<GtkWidget>) -> (x: Double, y: Double) {
        var point = (x: 0.0, y: 0.0)
        gtk_widget_translate_coordinates(part, box, x, y, &point.x, &point.y)
        return point
    }

    /// The window's content on the screen, by each available renderer.
    func screenshots() -> [Pixels] {
        let size = PixelSize(width: Int(gtk_widget_get_width(box)), height: Int(gtk_widget_get_height(box)))
        guard !size.isEmpty, let paintable = gtk_widget_paintable_new(box) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let draw: (OpaquePointer) -> Void = {
            gdk_paintable_snapshot(paintable, $0, Double(size.width), Double(size.height))
        }
        let byCairo = Pixels.drawnByCairo(size, draw)
        return [byCairo] + (OffscreenRenderer.openGL.map { [$0.draw(size, draw)] } ?? [])
    }

    /// The renderers' colours at a point of a part of the widget; one if they agree.
    func colours(_ x: Double, _ y: Double, of part: UnsafeMutablePointer<GtkWidget>) -> Set<Colour> {
        let point = point(x, y, of: part)
        return Set(screenshots().map { $0.colour(x: Int(point.x), y: Int(point.y)) })
    }

    /// The renderers' colours in the centre of a part of the widget; one if they agree.
    func middles(of part: UnsafeMutablePointer<GtkWidget>? = nil) -> Set<Colour> {
        let part = part ?? widget
        return colours(Double(gtk_widget_get_width(part)) / 2, Double(gtk_widget_get_height(part)) / 2, of: part)
    }
}

extension Pixels {
    func colour(x: Int, y: Int) -> Colour {
        let color = self[x, y]
        return Colour(red: UInt8(color[0]), green: UInt8(color[1]), blue: UInt8(color[2]), alpha: UInt8(color[3]))
    }
}
