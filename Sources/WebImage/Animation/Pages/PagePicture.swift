import CPixels

/// A content of a transition at rest, in device pixels of the view.
package struct PagePicture {
    let plane: webimage_plane
    /// Where the pixels lie in the view, from its top left corner, in device pixels.
    let frame: PointRect
    /// Whether it gets shading, which would darken what is behind a translucent content.
    let isShaded: Bool

    /// - Parameters:
    ///   - pixels: Four bytes each, the last of which is alpha; the colours are premultiplied. They must outlive the
    ///     picture.
    ///   - x: The left edge in the view, in device pixels.
    ///   - y: The upper edge.
    ///   - ignoresAlpha: Whether the fourth byte counts as 255.
    ///   - isShaded: Whether the content is opaque, and gets shading.
    package init(
        _ pixels: UnsafePointer<UInt8>, bytesPerRow: Int, x: Int, y: Int, size: PixelSize, ignoresAlpha: Bool,
        isShaded: Bool
    ) {
        plane = webimage_plane(
            pixels: pixels, bytes_per_row: bytesPerRow, width: Int32(size.width), height: Int32(size.height),
            is_opaque: ignoresAlpha)
        frame = PointRect(
            x: Double(x), y: Double(y), width: Double(size.width), height: Double(size.height))
        self.isShaded = isShaded
    }
}
