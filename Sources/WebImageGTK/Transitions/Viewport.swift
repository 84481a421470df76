import WebImage

/// The view that content is seen in.
struct Viewport {
    /// In points.
    var size: PointSize
    /// How pictures are laid into it.
    var fit: ContentFit
    /// Device pixels per point.
    var scale = 1.0
}
