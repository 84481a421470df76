import CGtk4
import WebImage

/// One drawing operation of cairo's, without a GSK node of its own.
struct CairoStroke {
    struct Mirroring {
        var horizontally = false
        var vertically = false
    }

    enum Paint {
        /// A part of a surface, and the map from where it rests to where it goes.
        case surface(CairoSurface, RectMap, isMirrored: Mirroring)
        /// A gradient from one colour to another.
        case shade(from: RGBAColor, to: RGBAColor, axis: TransitionLayer.Axis)
    }

    let paint: Paint
    /// The filled area, in points.
    let area: PointRect
    var opacity = 1.0

    /// - Parameter hasSwappedColors: Whether red and blue are exchanged; surfaces have them so.
    func draw(into context: OpaquePointer, hasSwappedColors: Bool = false) {
        switch paint {
        case .surface(let surface, let map, let isMirrored):
            surface.makeSource(of: context, map, isMirrored: isMirrored)
        case .shade(let start, let end, let axis):
            makeSource(
                of: context, from: hasSwappedColors ? start.swapped : start, to: hasSwappedColors ? end.swapped : end,
                axis)
        }
        cairo_rectangle(context, area.x, area.y, area.size.width, area.size.height)
        guard opacity < 1 else { return cairo_fill(context) }
        cairo_save(context)
        cairo_clip(context)
        cairo_paint_with_alpha(context, opacity)
        cairo_restore(context)
    }

    private func makeSource(
        of context: OpaquePointer, from start: RGBAColor, to end: RGBAColor, _ axis: TransitionLayer.Axis
    ) {
        if let even = start.mean(end, ifCloserThan: Snapshot.unseenStep) {
            let color = GdkRGBA(even)
            return cairo_set_source_rgba(
                context, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
        }
        let isHorizontal = axis == .horizontal
        let pattern = cairo_pattern_create_linear(
            area.x, area.y, isHorizontal ? area.maxX : area.x, isHorizontal ? area.y : area.maxY)
        for (offset, color) in [(0.0, GdkRGBA(start)), (1, GdkRGBA(end))] {
            cairo_pattern_add_color_stop_rgba(
                pattern, offset, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha))
        }
        cairo_set_source(context, pattern)
        cairo_pattern_destroy(pattern)
    }
}

extension RGBAColor {
    /// The colour with red and blue exchanged.
    fileprivate var swapped: RGBAColor { RGBAColor(red: blue, green: green, blue: red, alpha: alpha) }
}

extension Snapshot {
    /// Draws the strokes in order, in one cairo node.
    func drawByCairo(_ strokes: [CairoStroke], in bounds: PointRect) {
        var bounds = graphene_rect_t(bounds)
        guard !strokes.isEmpty, let context = gtk_snapshot_append_cairo(pointer, &bounds) else { return }
        for stroke in strokes { stroke.draw(into: context) }
        cairo_destroy(context)
    }
}
