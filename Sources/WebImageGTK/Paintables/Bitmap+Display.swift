import WebImage

extension Bitmap {
    /// The bitmap for GTK, which takes all values for sRGB: high dynamic range is tone-mapped. Without memory for that,
    /// the picture is shown too dark rather than not at all.
    nonisolated var displayable: Bitmap {
        colorSpace.isHighDynamicRange ? (try? converted(to: format)) ?? self : self
    }
}
