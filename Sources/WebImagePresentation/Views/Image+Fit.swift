import WebImageCore

/// How views lay out a picture.
extension Image {
    /// The way it fits into a view; nil for that of pictures.
    package func fit(usually usual: ContentFit?) -> ContentFit? {
        switch appearance {
        case .pixels, .cachedHash: usual
        case .icon: usual ?? .scaleDown
        case .blur: nil
        case .backdrop: .fill
        }
    }

    /// The size of the full picture, in points: the layout must not depend on the decoded size. nil where it is the
    /// picture's own size.
    package var naturalSize: PointSize? {
        guard metadata.isThumbnail, !metadata.isTransformed, let size = metadata.originalPixelSize else { return nil }
        return PointSize(width: Double(size.width) / scale, height: Double(size.height) / scale)
    }
}
