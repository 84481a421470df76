/// What a transition happens in: a view, what it shows before, and what it shows after.
///
/// All rectangles are in the view's own points, from its top left corner.
public struct TransitionScene: Sendable, Hashable {
    /// The view's size. The pictures need not fill it.
    public var size: PointSize
    /// Device pixels per point, 1 or more: edges that lie on whole device pixels show no seams.
    public var scale: Double
    /// Where the former content lies; nil when the view showed nothing.
    public var oldFrame: PointRect?
    /// Where the new content lies; nil when the view shows nothing from now on.
    public var newFrame: PointRect?
    /// Whether every pixel of the former content is opaque.
    public var isOldOpaque: Bool
    /// Whether every pixel of the new content is opaque.
    public var isNewOpaque: Bool

    /// A view of `size` points whose contents lie where they are said to; nil for a content that is not there.
    public init(
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
