import CGtk4
import Glibc
import WebImage

/// Premultiplied pixels, from a renderer or a reference.
struct Pixels {
    let size: PixelSize
    /// Red, green, blue and alpha, 0 to 255.
    private var colors: [SIMD4<Float>]

    init(_ size: PixelSize) {
        self.size = size
        colors = Array(repeating: .zero, count: size.area)
    }

    init(_ bitmap: Bitmap) {
        size = bitmap.size
        colors = bitmap.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { start in
                SIMD4(
                    Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2]), Float(bytes[start + 3]))
            }
        }
    }

    /// From cairo's machine words.
    init(_ size: PixelSize, words: UnsafeBufferPointer<UInt32>) {
        self.size = size
        colors = words.map { word in
            SIMD4(
                Float(word >> 16 & 0xFF), Float(word >> 8 & 0xFF), Float(word & 0xFF), Float(word >> 24 & 0xFF))
        }
    }

    /// Those of a `GdkTexture`.
    init(of texture: OpaquePointer) {
        let size = PixelSize(
            width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        var words = [UInt32](repeating: 0, count: size.area)
        words.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            gdk_texture_download(texture, base, gsize(size.width * 4))
        }
        self = words.withUnsafeBufferPointer { Pixels(size, words: $0) }
    }

    subscript(x: Int, y: Int) -> SIMD4<Float> {
        get { colors[y * size.width + x] }
        set { colors[y * size.width + x] = newValue }
    }

    /// The similarity of two pictures in decibels: at 34 they are hard to distinguish, at 50 only roundings differ.
    func signalToNoise(_ other: Pixels) -> Double {
        guard size == other.size else { return 0 }
        var sum = 0.0
        for (first, second) in zip(colors, other.colors) {
            let difference = first - second
            sum += Double((difference * difference).sum())
        }
        let mean = sum / Double(4 * colors.count)
        return mean == 0 ? .infinity : 10 * log10(255 * 255 / mean)
    }
}

extension Pixels {
    /// The result of `draw`, by cairo and without a display.
    @MainActor
    static func drawnByCairo(_ size: PixelSize, scale: Double = 1, _ draw: (OpaquePointer) -> Void) -> Pixels {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height))
        defer { cairo_surface_destroy(surface) }
        withNode(draw) { node in
            let context = cairo_create(surface)
            cairo_scale(context, scale, scale)
            gsk_render_node_draw(node, context)
            cairo_destroy(context)
        }
        cairo_surface_flush(surface)
        guard let rows = cairo_image_surface_get_data(surface) else { return Pixels(size) }
        return rows.withMemoryRebound(to: UInt32.self, capacity: size.area) { words in
            Pixels(size, words: UnsafeBufferPointer(start: words, count: size.area))
        }
    }

    @MainActor
    private static func withNode(_ draw: (OpaquePointer) -> Void, _ body: (OpaquePointer) -> Void) {
        guard let node = Self.node(draw) else { return }
        body(node)
        gsk_render_node_unref(node)
    }

    /// The result of `draw` as a node, which the caller releases; nil when it draws nothing.
    @MainActor
    static func node(_ draw: (OpaquePointer) -> Void) -> OpaquePointer? {
        let snapshot: OpaquePointer = gtk_snapshot_new()
        draw(snapshot)
        return gtk_snapshot_free_to_node(snapshot)
    }
}
