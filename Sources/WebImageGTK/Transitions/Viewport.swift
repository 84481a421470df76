import WebImage

/// The geometry of the view that shows content.
package struct Viewport {
    /// In points.
    package var size: PointSize
    /// How pictures are laid into it.
    package var fit: ContentFit
    /// Device pixels per point.
    package var scale = 1.0
}
