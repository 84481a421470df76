import CGtk4
import WebImage

/// A bitmap, or a part of one, as a `GdkTexture`. Pixels are copied for small parts only; otherwise GTK reads the
/// bitmap, which lives as long as GTK needs it.
///
/// The last reference must be dropped on the main thread, where the renderer frees its own copy: hence the isolated
/// `deinit`.
package final class Texture {
    /// A `GdkTexture`.
    package let pointer: OpaquePointer
    /// Width and height in pixels.
    let size: PixelSize
    /// True when every pixel is known to be opaque.
    let isOpaque: Bool
    /// The bitmap, for a texture of all of it: the next one in its place is compared with it.
    private let whole: Bitmap?

    /// The whole of `bitmap`.
    ///
    /// - Parameter previous: What was drawn in the same place before: GTK draws only the rows that differ.
    package convenience init(_ bitmap: Bitmap, replacing previous: Texture? = nil) {
        self.init(bitmap, x: 0, y: 0, size: bitmap.size, replacing: previous)
    }

    /// The part of `bitmap` whose top left pixel is (`x`, `y`); nil when that does not lie within the bitmap.
    convenience init?(partOf bitmap: Bitmap, x: Int, y: Int, size: PixelSize) {
        guard x >= 0, y >= 0, !size.isEmpty, x <= bitmap.size.width - size.width, y <= bitmap.size.height - size.height
        else { return nil }
        self.init(bitmap, x: x, y: y, size: size)
    }

    private init(_ bitmap: Bitmap, x: Int, y: Int, size: PixelSize, replacing previous: Texture? = nil) {
        let isCopy = Self.isKept(size) && 2 * size.area <= bitmap.size.area
        let bytes =
            isCopy
            ? Self.copiedBytes(of: bitmap, x: x, y: y, size: size) : Self.bytes(of: bitmap, x: x, y: y, size: size)
        let bytesPerRow = isCopy ? size.width * bitmap.format.bytesPerPixel : bitmap.bytesPerRow
        let former = webimage_draws_changes() != 0 ? previous?.whole : nil
        let changes = former.flatMap { bitmap.changedRowsAsDrawn(since: $0) }
        var description = WebImageTexture(
            width: Int32(size.width), height: Int32(size.height), format: Self.layout(of: bitmap), bytes: bytes,
            stride: gsize(bytesPerRow), color_state: bitmap.colorSpace.gdkColorState,
            previous: changes.flatMap { _ in previous?.pointer },
            changes: cairo_rectangle_int_t(rows: changes, of: size))
        pointer = webimage_texture_new(&description)
        g_bytes_unref(bytes)
        self.size = size
        isOpaque = bitmap.isOpaque
        whole = size == bitmap.size ? bitmap : nil
    }

    /// The `GdkTexture` with one more reference, which the caller owns.
    func retained() -> OpaquePointer { OpaquePointer(g_object_ref(UnsafeMutableRawPointer(pointer))) }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// GTK's OpenGL renderer puts textures up to this size into an atlas and holds them for many frames after their
    /// last use; in a window that does not redraw, forever. A part that is no copy would keep its whole bitmap alive.
    private static func isKept(_ size: PixelSize) -> Bool { max(size.width, size.height) <= 128 }

    private static func copiedBytes(of bitmap: Bitmap, x: Int, y: Int, size: PixelSize) -> OpaquePointer? {
        let bytesPerPixel = bitmap.format.bytesPerPixel
        let rowLength = size.width * bytesPerPixel
        guard let copy = g_malloc(gsize(rowLength * size.height)) else { return nil }
        bitmap.withUnsafeBytes { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<size.height {
                let start = base + (y + row) * bitmap.bytesPerRow + x * bytesPerPixel
                (copy + row * rowLength).copyMemory(from: start, byteCount: rowLength)
            }
        }
        return g_bytes_new_take(copy, gsize(rowLength * size.height))
    }

    /// From the part's first pixel to its last one; only the lowest part ends with the bitmap.
    private static func bytes(of bitmap: Bitmap, x: Int, y: Int, size: PixelSize) -> OpaquePointer? {
        let bytesPerPixel = bitmap.format.bytesPerPixel
        let offset = y * bitmap.bytesPerRow + x * bytesPerPixel
        let count = (size.height - 1) * bitmap.bytesPerRow + size.width * bytesPerPixel
        // A bitmap's address never changes, and the reference taken here keeps it valid after this call.
        let address = bitmap.withUnsafeBytes { $0.baseAddress }
        return g_bytes_new_with_free_func(
            address.map { $0 + offset }, gsize(count),
            { owner in
                guard let owner else { return }
                Unmanaged<Bitmap>.fromOpaque(owner).release()
            },
            Unmanaged.passRetained(bitmap).toOpaque())
    }

    private static func layout(of bitmap: Bitmap) -> GdkMemoryFormat {
        // For opaque pixels both are the same.
        if bitmap.format == .rgba8Premultiplied, bitmap.isOpaque, prefersStraight { return GDK_MEMORY_R8G8B8A8 }
        return layout(of: bitmap.format)
    }

    /// Before GTK 4.14, cairo's renderer converts straight pixels by a loop of their own, and premultiplied ones by way of
    /// floating-point numbers at each draw.
    private static let prefersStraight: Bool = {
        guard gtk_get_major_version() == 4, gtk_get_minor_version() < 14 else { return false }
        return g_getenv("GSK_RENDERER").map { String(cString: $0) } == "cairo"
    }()

    private static func layout(of format: PixelFormat) -> GdkMemoryFormat {
        switch format {
        case .rgba8Premultiplied: GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        case .rgba8Straight: GDK_MEMORY_R8G8B8A8
        case .rgba16Premultiplied: GDK_MEMORY_R16G16B16A16_PREMULTIPLIED
        case .rgba16Straight: GDK_MEMORY_R16G16B16A16
        case .rgba16FloatPremultiplied: GDK_MEMORY_R16G16B16A16_FLOAT_PREMULTIPLIED
        case .rgba16FloatStraight: GDK_MEMORY_R16G16B16A16_FLOAT
        }
    }
}

extension cairo_rectangle_int_t {
    /// Rows of a picture; none for nil.
    fileprivate init(rows: Range<Int>?, of size: PixelSize) {
        self.init(x: 0, y: Int32(rows?.lowerBound ?? 0), width: Int32(size.width), height: Int32(rows?.count ?? 0))
    }
}
