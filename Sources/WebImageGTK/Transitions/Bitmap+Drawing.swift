import CGtk4
import WebImage

extension Bitmap {
    /// The result of `draw` from (0, 0) to `size`, in points, at `scale` pixels per point. Cairo draws it without a
    /// display; nil when there is no memory for it.
    static func drawn(size: PointSize, scale: Double, _ draw: (Snapshot) -> Void) -> Bitmap? {
        let pixels = PixelSize(
            width: Int((size.width * scale).rounded(.up)), height: Int((size.height * scale).rounded(.up)))
        let largest = max(pixels.width, pixels.height)
        guard !pixels.isEmpty, largest <= TextureSlices.maximumSide else { return nil }
        let snapshot: OpaquePointer = gtk_snapshot_new()
        draw(Snapshot(pointer: snapshot))
        // nil when nothing was drawn.
        let node = gtk_snapshot_free_to_node(snapshot)
        defer { if let node { gsk_render_node_unref(node) } }
        return try? Bitmap(size: pixels) { rows, bytesPerRow throws(WebImageError) in
            rows.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * pixels.height)
            if let node { Self.render(node, scale: scale, to: rows, bytesPerRow: bytesPerRow, size: pixels) }
            return Self.exchangeRedAndBlue(rows.assumingMemoryBound(to: UInt32.self), count: pixels.area)
        }
    }

    private static func render(
        _ node: OpaquePointer, scale: Double, to rows: UnsafeMutableRawPointer, bytesPerRow: Int, size: PixelSize
    ) {
        let surface = cairo_image_surface_create_for_data(
            rows.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
            Int32(bytesPerRow))
        let context = cairo_create(surface)
        cairo_scale(context, scale, scale)
        gsk_render_node_draw(node, context)
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }

    /// From cairo's native-endian words to bytes in the order red, green, blue, alpha.
    /// - Returns: Whether all are opaque.
    static func exchangeRedAndBlue(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) -> Bool {
        var all = UInt32.max
        for index in 0..<count {
            let word = pixels[index]
            all &= word
            let red = word >> 16 & 0xFF
            let blue = word << 16 & 0xFF_0000
            pixels[index] = (word & 0xFF00_FF00 | red | blue).littleEndian
        }
        return all >> 24 == 0xFF
    }
}
