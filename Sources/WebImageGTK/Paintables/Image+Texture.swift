import CGtk4
import WebImage

extension Image {
    /// The picture as a `GdkTexture`, which is also a `GdkPaintable`: for GTK's drag icons, clipboard, avatars and
    /// posters. Main thread.
    ///
    /// ```swift
    /// let texture = image.makeTexture()
    /// gtk_drag_source_set_icon(source, texture, 0, 0)
    /// g_object_unref(UnsafeMutableRawPointer(texture))
    /// ```
    /// - Returns: An immutable texture with one reference, which the caller owns. For an animation, its first frame. Wide
    ///   gamut is in sRGB before GTK 4.16, and high dynamic range is tone-mapped unless
    ///   ``DisplayColors/showsHighDynamicRange`` is set.
    public func makeTexture() -> OpaquePointer {
        Texture(bitmap.displayable).retained()
    }

    /// The pixels of a `GdkTexture`, with 8 bits a channel: brings pasted, dropped or drawn content into caches,
    /// transformers and files. Main thread.
    ///
    /// - Parameters:
    ///   - texture: A `GdkTexture`; it is not retained.
    ///   - scale: Pixels per point.
    /// - Throws: `WebImageError.Code.limitExceeded` when there is no memory for the pixels.
    public convenience init(texture: OpaquePointer, scale: Double = 1) throws(WebImageError) {
        let size = PixelSize(
            width: Int(gdk_texture_get_width(texture)), height: Int(gdk_texture_get_height(texture)))
        let bitmap = try Bitmap(size: size) { rows, bytesPerRow throws(WebImageError) in
            gdk_texture_download(texture, rows.assumingMemoryBound(to: UInt8.self), gsize(bytesPerRow))
            return Bitmap.exchangeRedAndBlue(rows.assumingMemoryBound(to: UInt32.self), count: size.area)
        }
        self.init(bitmap: bitmap, scale: scale)
    }
}
