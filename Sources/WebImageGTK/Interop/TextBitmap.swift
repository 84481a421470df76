import CGtk4
import WebImage

/// Text drawn by Pango. Any thread: each has fonts of its own.
nonisolated struct TextBitmap {
    private let text: String
    private let font: String
    private let color: RGBAColor
    private let scale: Double

    /// - Parameters:
    ///   - font: Pango's description, such as `Sans Bold 16`; its size is in points.
    ///   - scale: Pixels per point.
    init(_ text: String, font: String, color: RGBAColor, scale: Double) {
        self.scale = scale
        self.text = text
        self.font = font
        self.color = color
    }

    /// The text's pixels, transparent around it; nil for text without a visible part, and when there is no memory.
    func draw() -> Bitmap? {
        guard let measure = Surface(width: 1, height: 1), let layout = measure.layout(text, font: font, scale: scale)
        else {
            return nil
        }
        defer { g_object_unref(gpointer(layout)) }
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_pixel_size(layout, &width, &height)
        guard width > 0, height > 0, width <= Self.longestSide, height <= Self.longestSide,
            let canvas = Surface(width: width, height: height)
        else { return nil }
        cairo_set_source_rgba(
            canvas.context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            Double(color.alpha) / 255)
        pango_cairo_update_layout(canvas.context, layout)
        pango_cairo_show_layout(canvas.context, layout)
        return canvas.bitmap()
    }

    /// Cairo's limit.
    private static let longestSide: Int32 = 32_767
}

/// A picture in memory that cairo draws on. Belongs to one thread.
private nonisolated final class Surface {
    let context: OpaquePointer
    private let surface: OpaquePointer
    private let size: PixelSize

    /// Nil without memory.
    init?(width: Int32, height: Int32) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height) else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.surface = surface
        self.context = context
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Released by the caller.
    func layout(_ text: String, font: String, scale: Double) -> OpaquePointer? {
        guard let layout = pango_cairo_create_layout(context) else { return nil }
        let description = pango_font_description_from_string(font)
        // An absolute size is in pixels, whatever the resolution of a screen.
        let points = Double(pango_font_description_get_size(description)) * scale
        if points > 0, pango_font_description_get_size_is_absolute(description) == 0 {
            pango_font_description_set_absolute_size(description, points)
        }
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        pango_layout_set_text(layout, text, -1)
        return layout
    }

    func bitmap() -> Bitmap? {
        cairo_surface_flush(surface)
        guard let rows = cairo_image_surface_get_data(surface) else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface))
        // Cairo's pixels are words of alpha, red, green, blue, from the highest byte down.
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            let row = UnsafeRawPointer(rows + y * stride)
            for x in 0..<size.width {
                let word = row.load(fromByteOffset: x * 4, as: UInt32.self)
                pixels += [16, 8, 0, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
            }
        }
        return try? Bitmap(size: size, pixels: pixels)
    }
}
