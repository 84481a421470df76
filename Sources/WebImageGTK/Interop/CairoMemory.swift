import CGtk4
import WebImage

/// Memory that cairo draws into, of a rectangle that lies on edges of device pixels.
enum CairoMemory {
    /// How many device pixels the rectangle has, of which a point has `scale`.
    static func size(of place: PointRect, scale: Double) -> PixelSize {
        PixelSize(width: Int((place.size.width * scale).rounded()), height: Int((place.size.height * scale).rounded()))
    }

    /// A surface that the caller owns; nil when there is no memory for it, when it is empty, and when it is larger than
    /// cairo or a renderer can take.
    static func make(_ size: PixelSize, _ format: cairo_format_t) -> OpaquePointer? {
        guard !size.isEmpty, max(size.width, size.height) <= TextureSlices.maximumSide,
            let surface = cairo_image_surface_create(format, Int32(size.width), Int32(size.height))
        else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            return nil
        }
        return surface
    }
}
