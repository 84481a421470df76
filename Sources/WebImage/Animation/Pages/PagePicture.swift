import CPixels

/// A content of a transition at rest, in device pixels of the view.
package struct PagePicture {
    let plane: webimage_plane
    /// Where the pixels lie in the view, from its top left corner, in device pixels.
    let frame: PointRect
    /// Whether it gets shading, which would darken what is behind a translucent content.
    let isShaded: Bool
    /// The plane with rows and columns exchanged, which pages that turn around a vertical line need.
    let transposed: webimage_plane?

    /// - Parameters:
    ///   - pixels: Four bytes each, the last of which is alpha; the colours are premultiplied. They must outlive the
    ///     picture.
    ///   - x: The left edge in the view, in device pixels.
    ///   - y: The upper edge.
    ///   - ignoresAlpha: Whether the fourth byte counts as 255.
    ///   - isShaded: Whether the content is opaque, and gets shading.
    ///   - transposed: The same pixels with rows and columns exchanged, without gaps between their rows.
    package init(
        _ pixels: UnsafePointer<UInt8>, bytesPerRow: Int, x: Int, y: Int, size: PixelSize, ignoresAlpha: Bool,
        isShaded: Bool, transposed: UnsafePointer<UInt8>? = nil
    ) {
        plane = webimage_plane(
            pixels: pixels, bytes_per_row: bytesPerRow, width: Int32(size.width), height: Int32(size.height),
            is_opaque: ignoresAlpha)
        frame = PointRect(
            x: Double(x), y: Double(y), width: Double(size.width), height: Double(size.height))
        self.isShaded = isShaded
        self.transposed = transposed.map {
            webimage_plane(
                pixels: $0, bytes_per_row: size.height * 4, width: Int32(size.height), height: Int32(size.width),
                is_opaque: ignoresAlpha)
        }
    }

    /// Exchanges rows and columns of pixels, without gaps between the rows of the result.
    package static func transpose(
        _ pixels: UnsafePointer<UInt8>, bytesPerRow: Int, size: PixelSize, into result: UnsafeMutablePointer<UInt8>
    ) {
        webimage_transpose(pixels, bytesPerRow, size.width, size.height, result, size.height * 4)
    }

    /// Copies the pixels in some columns of a row.
    ///
    /// - Parameters:
    ///   - columns: Those of the view.
    ///   - y: The row of the view.
    ///   - pixels: The pixel of the first column.
    func copy(_ columns: Range<Int>, row y: Int, to pixels: UnsafeMutablePointer<UInt8>) {
        let (left, top) = (Int(frame.x), Int(frame.y))
        let part = columns.clamped(to: left..<(left + Int(plane.width)))
        guard !part.isEmpty, y >= top, y < top + Int(plane.height) else { return }
        withUnsafePointer(to: plane) { plane in
            webimage_copy_pixels(
                plane, part.lowerBound - left, y - top, part.count,
                pixels + (part.lowerBound - columns.lowerBound) * 4)
        }
    }
}
