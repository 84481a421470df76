/// The way a picture is fitted to a size of other proportions. The numbers are SDWebImage's.
public enum ImageScaleMode: Int, Sendable, Hashable, CaseIterable {
    /// Stretched to the size.
    case fill = 0
    /// As large as possible without cropping; the margin is transparent.
    case aspectFit = 1
    /// As small as possible without a margin; the overhang is cropped equally on both sides.
    case aspectFill = 2
}
