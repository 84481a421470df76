import CGtk4
import WebImage

/// Memory for cairo surfaces that cover a rectangle aligned to device pixels.
enum CairoMemory {
    private static let maximumSide = 32_767

    /// The rectangle's size in device pixels, at `scale` pixels per point.
    static func size(of place: PointRect, scale: Double) -> PixelSize {
        PixelSize(width: Int((place.size.width * scale).rounded()), height: Int((place.size.height * scale).rounded()))
    }

    /// A surface that the caller owns; nil when there is no memory for it, when it is empty, or when it exceeds the
    /// limits of cairo.
    static func make(_ size: PixelSize, _ format: cairo_format_t) -> OpaquePointer? {
        guard !size.isEmpty, max(size.width, size.height) <= maximumSide,
            let surface = cairo_image_surface_create(format, Int32(size.width), Int32(size.height))
        else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            return nil
        }
        return surface
    }
}
