/// The way a picture is fitted to a size of other proportions. The numbers are SDWebImage's.
public enum ImageScaleMode: Sendable, CaseIterable {
    /// Stretched to the size.
    case fill
    /// As large as possible without cropping; the margin is transparent.
    case aspectFit
    /// As small as possible without a margin; the overhang is cropped equally on both sides.
    case aspectFill
}

extension ImageScaleMode {
    /// SDWebImage's number, for the keys of transformers.
    var number: Int {
        switch self {
        case .fill: 0
        case .aspectFit: 1
        case .aspectFill: 2
        }
    }
}
