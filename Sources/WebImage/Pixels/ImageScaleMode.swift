/// How a picture is brought to a size of other proportions. The numbers are SDWebImage's.
public enum ImageScaleMode: Int, Sendable, Hashable, CaseIterable {
    /// Stretched to the size.
    case fill = 0
    /// As large as possible with nothing cut off; the margin is transparent.
    case aspectFit = 1
    /// As small as possible with nothing left empty; what hangs over is cut off on both sides alike.
    case aspectFill = 2
}
