import WebImageCore

/// The scene of a transition: a view, its former content, and its new content.
///
/// All rectangles are in the view's points, from its top left corner.
public struct TransitionScene: Sendable, Equatable {
    /// The view's size. The pictures need not fill it.
    public var size: PointSize
    /// Device pixels per point, 1 or more: edges on whole device pixels have no seams.
    public var scale: Double
    /// The frame of the former content; nil when the view was empty.
    public var oldFrame: PointRect?
    /// The frame of the new content; nil when the view becomes empty.
    public var newFrame: PointRect?
    /// Whether every pixel of the former content is opaque.
    public var isOldOpaque: Bool
    /// Whether every pixel of the new content is opaque.
    public var isNewOpaque: Bool

    /// A view of `size` points with contents in these frames; nil for an empty content.
    package init(
        size: PointSize, scale: Double = 1, oldFrame: PointRect?, newFrame: PointRect?, isOldOpaque: Bool = true,
        isNewOpaque: Bool = true
    ) {
        self.size = size
        self.scale = scale
        self.oldFrame = oldFrame
        self.newFrame = newFrame
        self.isOldOpaque = isOldOpaque
        self.isNewOpaque = isNewOpaque
    }

    /// A view of `size` points that both contents fill.
    public init(size: PointSize, scale: Double = 1, isOldOpaque: Bool = true, isNewOpaque: Bool = true) {
        let bounds = PointRect(x: 0, y: 0, size: size)
        self.init(
            size: size, scale: scale, oldFrame: bounds, newFrame: bounds, isOldOpaque: isOldOpaque,
            isNewOpaque: isNewOpaque)
    }

    /// The whole view.
    public var bounds: PointRect { PointRect(x: 0, y: 0, size: size) }
}
