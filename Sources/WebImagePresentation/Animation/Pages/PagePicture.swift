import CPixels
import WebImageCore

/// A content of a transition at rest, in device pixels of the view.
package struct PagePicture {
    let plane: webimage_plane
    /// The place of the pixels in the view, from its top left corner, in device pixels.
    let frame: PointRect
    /// Whether it gets shading, which would darken what is behind a translucent content.
    let isShaded: Bool
    /// Whether the plane has rows and columns exchanged, as pages that turn around a vertical line need it.
    let isTransposed: Bool

    /// - Parameters:
    ///   - pixels: Four bytes each, the last of which is alpha; the colours are premultiplied, in any order. They must
    ///     outlive the picture.
    ///   - bytesPerRow: The distance of rows; of columns where the pixels are transposed.
    ///   - x: The left edge in the view, in device pixels.
    ///   - y: The upper edge.
    ///   - isShaded: Whether the content is opaque, and gets shading.
    ///   - isTransposed: Whether the pixels have rows and columns exchanged.
    package init(
        _ pixels: UnsafePointer<UInt8>, bytesPerRow: Int, x: Int, y: Int, size: PixelSize, isShaded: Bool,
        isTransposed: Bool = false
    ) {
        let (width, height) = isTransposed ? (size.height, size.width) : (size.width, size.height)
        plane = webimage_plane(
            pixels: pixels, bytes_per_row: bytesPerRow, width: Int32(width), height: Int32(height))
        frame = PointRect(
            x: Double(x), y: Double(y), width: Double(size.width), height: Double(size.height))
        self.isShaded = isShaded
        self.isTransposed = isTransposed
    }

    /// Sets alpha to 255 in pixels whose fourth byte has no meaning.
    package static func setOpaque(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        webimage_set_opaque(pixels, count)
    }

    /// Exchanges the first and the third byte of pixels.
    package static func swapColors(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
        webimage_swap_red_and_blue(pixels, count)
    }

    /// Exchanges rows and columns of pixels, without gaps between the rows of the result.
    package static func transpose(
        _ pixels: UnsafePointer<UInt8>, bytesPerRow: Int, size: PixelSize, into result: UnsafeMutablePointer<UInt8>
    ) {
        webimage_transpose(pixels, bytesPerRow, size.width, size.height, result, size.height * 4)
    }
}
