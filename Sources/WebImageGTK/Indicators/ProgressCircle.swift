import CGtk4
import Glibc

/// The drawing of a `GtkDrawingArea`: a ring, and the part of it that is done.
final class ProgressCircle {
    /// The part that is done; at 0, an arc of fixed length is drawn at ``rotation``.
    var progress: Double = 0 {
        didSet { if progress != oldValue { gtk_widget_queue_draw(area) } }
    }

    /// In turns, 0 to 1.
    var rotation: Double = 0 {
        didSet { gtk_widget_queue_draw(area) }
    }

    /// The ring's width as a share of its diameter.
    private static let thickness = 0.1
    /// The length of the turning arc as a share of the ring, while progress is unknown.
    private static let unknownPart = 0.25

    private let area: UnsafeMutablePointer<GtkWidget>

    /// Draws in `area`, which owns the circle.
    init(on area: UnsafeMutablePointer<GtkWidget>) {
        self.area = area
        gtk_drawing_area_set_draw_func(
            cast(area),
            { _, context, width, height, data in
                guard let context, let data else { return }
                Unmanaged<ProgressCircle>.fromOpaque(data).takeUnretainedValue()
                    .draw(context, width: Double(width), height: Double(height))
            },
            Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<ProgressCircle>.fromOpaque(data).release()
            })
    }

    private func draw(_ context: OpaquePointer, width: Double, height: Double) {
        let diameter = min(width, height)
        let line = diameter * Self.thickness
        // Leaves a point for the dark edge around the ring.
        let radius = (diameter - line) / 2 - 1
        guard radius > 0 else { return }
        cairo_translate(context, width / 2, height / 2)
        let start = progress > 0 ? 0 : rotation
        let part = progress > 0 ? progress : Self.unknownPart
        var color = GdkRGBA()
        gtk_style_context_get_color(gtk_widget_get_style_context(area), &color)
        let isLight = (color.red + color.green + color.blue) / 3 > 0.4
        let edge = GdkRGBA(gray: isLight ? 0 : 1, alpha: 0.35)
        stroke(context, radius: radius, from: 0, part: 1, width: line + 2, edge)
        stroke(context, radius: radius, from: start, part: part, width: line, color)
    }

    /// Clockwise from the top; `start` and `part` are in turns.
    private func stroke(
        _ context: OpaquePointer, radius: Double, from start: Double, part: Double, width: Double, _ color: GdkRGBA
    ) {
        var color = color
        let angle = (start - 0.25) * 2 * Double.pi
        gdk_cairo_set_source_rgba(context, &color)
        cairo_set_line_width(context, width)
        cairo_new_path(context)
        cairo_arc(context, 0, 0, radius, angle, angle + part * 2 * Double.pi)
        cairo_stroke(context)
    }
}

extension GdkRGBA {
    fileprivate init(gray: Float, alpha: Float) { self.init(red: gray, green: gray, blue: gray, alpha: alpha) }
}
