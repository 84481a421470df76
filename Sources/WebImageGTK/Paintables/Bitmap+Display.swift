import WebImage

extension Bitmap {
    /// The pixels that GTK can show: it takes all numbers for sRGB, so high dynamic range is brought to that. Without
    /// memory for it, the picture is too dark rather than not there.
    nonisolated var displayable: Bitmap {
        colorSpace.isHighDynamicRange ? (try? converted(to: format)) ?? self : self
    }
}
