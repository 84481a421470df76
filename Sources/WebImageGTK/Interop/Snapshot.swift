import CGtk4
import WebImage

/// A borrowed `GtkSnapshot`. Every push has its pop.
struct Snapshot {
    /// The difference of a channel below which a narrow strip may have one colour, because the step is invisible.
    static let unseenStep = 8

    let pointer: OpaquePointer

    /// Draws a texture into `frame`.
    func draw(_ texture: Texture, in frame: PointRect) {
        var bounds = graphene_rect_t(frame)
        gtk_snapshot_append_texture(pointer, texture.pointer, &bounds)
    }

    /// Draws a paintable into `frame`.
    func draw(_ paintable: PaintableHandle, in frame: PointRect) {
        moved(toX: frame.x, y: frame.y) {
            gdk_paintable_snapshot(paintable.pointer, pointer, frame.size.width, frame.size.height)
        }
    }

    /// Draws only what lies within `rect`.
    func clipped(to rect: PointRect, _ body: () -> Void) {
        var bounds = graphene_rect_t(rect)
        gtk_snapshot_push_clip(pointer, &bounds)
        body()
        gtk_snapshot_pop(pointer)
    }

    /// Draws with opacity; nothing at all at 0.
    func faded(to opacity: Double, _ body: () -> Void) {
        guard opacity > 0 else { return }
        guard opacity < 1 else { return body() }
        gtk_snapshot_push_opacity(pointer, opacity)
        body()
        gtk_snapshot_pop(pointer)
    }

    /// Draws a cross-fade, correct for translucent content too.
    func crossFaded(_ progress: Double, from start: () -> Void, to end: () -> Void) {
        gtk_snapshot_push_cross_fade(pointer, progress)
        start()
        gtk_snapshot_pop(pointer)
        end()
        gtk_snapshot_pop(pointer)
    }

    /// Draws with (0, 0) at (`x`, `y`).
    func moved(toX x: Double, y: Double, _ body: () -> Void) {
        guard x != 0 || y != 0 else { return body() }
        gtk_snapshot_save(pointer)
        translate(x, y)
        body()
        gtk_snapshot_restore(pointer)
    }

    /// Draws rotated by `radians`, and scaled.
    func turned(by radians: Double, scale: Double, _ body: () -> Void) {
        gtk_snapshot_save(pointer)
        gtk_snapshot_rotate(pointer, Float(radians * 180 / .pi))
        gtk_snapshot_scale(pointer, Float(scale), Float(scale))
        body()
        gtk_snapshot_restore(pointer)
    }

    /// Draws so that `source` fills a rectangle of `size` at (0, 0).
    func fitted(from source: PointRect, to size: PointSize, _ body: () -> Void) {
        gtk_snapshot_save(pointer)
        // Sizes that differ by rounding only are equal: a picture is sharp only at a factor of exactly 1.
        let isScaled = abs(source.size.width - size.width) >= 0.5 || abs(source.size.height - size.height) >= 0.5
        if isScaled, !source.size.isEmpty {
            gtk_snapshot_scale(
                pointer, Float(size.width / source.size.width), Float(size.height / source.size.height))
        }
        translate(-source.x, -source.y)
        body()
        gtk_snapshot_restore(pointer)
    }

    /// Draws with `frame` mirrored.
    func mirrored(in frame: PointRect, horizontally: Bool, vertically: Bool, _ body: () -> Void) {
        guard horizontally || vertically else { return body() }
        gtk_snapshot_save(pointer)
        translate(horizontally ? frame.x + frame.maxX : 0, vertically ? frame.y + frame.maxY : 0)
        gtk_snapshot_scale(pointer, horizontally ? -1 : 1, vertically ? -1 : 1)
        body()
        gtk_snapshot_restore(pointer)
    }

    /// Fills `frame` with a colour or a gradient.
    func fill(_ frame: PointRect, from start: RGBAColor, to end: RGBAColor, axis: TransitionLayer.Axis) {
        var bounds = graphene_rect_t(frame)
        // In shades made of narrow strips the colour steps are invisible, and OpenGL in software takes three times as
        // long for a gradient as for a colour.
        if let even = start.mean(end, ifCloserThan: Self.unseenStep) {
            var color = GdkRGBA(even)
            return gtk_snapshot_append_color(pointer, &color, &bounds)
        }
        var first = bounds.origin
        var last = bounds.origin
        switch axis {
        case .horizontal: last.x += bounds.size.width
        case .vertical: last.y += bounds.size.height
        }
        let stops = [GskColorStop(offset: 0, color: GdkRGBA(start)), GskColorStop(offset: 1, color: GdkRGBA(end))]
        gtk_snapshot_append_linear_gradient(pointer, &bounds, &first, &last, stops, gsize(stops.count))
    }

    private func translate(_ x: Double, _ y: Double) {
        var origin = graphene_point_t(x: Float(x), y: Float(y))
        gtk_snapshot_translate(pointer, &origin)
    }
}

extension graphene_rect_t {
    nonisolated init(_ rect: PointRect) {
        self.init(
            origin: graphene_point_t(x: Float(rect.x), y: Float(rect.y)),
            size: graphene_size_t(width: Float(rect.size.width), height: Float(rect.size.height)))
    }
}

extension GdkRGBA {
    nonisolated init(_ color: RGBAColor) {
        func share(_ channel: UInt8) -> Float { Float(channel) / 255 }
        self.init(
            red: share(color.red), green: share(color.green), blue: share(color.blue), alpha: share(color.alpha))
    }
}

extension RGBAColor {
    /// The mean of two similar colours; nil when a channel differs by `distance` or more.
    nonisolated func mean(_ other: RGBAColor, ifCloserThan distance: Int) -> RGBAColor? {
        var means: [UInt8] = []
        for channel in [\RGBAColor.red, \.green, \.blue, \.alpha] {
            let (one, another) = (Int(self[keyPath: channel]), Int(other[keyPath: channel]))
            guard abs(one - another) < distance else { return nil }
            means.append(UInt8((one + another + 1) / 2))
        }
        return RGBAColor(red: means[0], green: means[1], blue: means[2], alpha: means[3])
    }
}
