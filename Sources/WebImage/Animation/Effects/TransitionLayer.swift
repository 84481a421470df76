/// One thing that is drawn in a frame of a transition.
///
/// A part of the former or the new content is taken as it lies in the view at rest (``source``) and drawn somewhere else,
/// enlarged, squeezed or mirrored (``frame``). Parts where the content has nothing draw nothing.
public struct TransitionLayer: Sendable, Hashable {
    /// What is drawn.
    public enum Content: Sendable, Hashable {
        /// What the view showed before.
        case old
        /// What the view shows afterwards.
        case new
        /// The new content, so small that it is blurred where it is drawn.
        case blurredNew
        /// The former content on its way to the new one, each where it lies at rest; 0 is the former one alone. Unlike
        /// two layers, it is right for translucent pictures too.
        case crossDissolve(Double)
        /// A colour that changes evenly from the first side of the frame to the other one.
        case shade(from: RGBAColor, to: RGBAColor, axis: Axis)
    }

    /// The direction in which a shade changes.
    public enum Axis: Sendable, Hashable {
        /// From left to right.
        case horizontal
        /// From top to bottom.
        case vertical
    }

    /// What is drawn.
    public var content: Content
    /// The part of it, in the view's points.
    public var source: PointRect
    /// Where that part goes, in the view's points.
    public var frame: PointRect
    /// Whether left and right are exchanged.
    public var isMirroredHorizontally = false
    /// Whether top and bottom are exchanged.
    public var isMirroredVertically = false
    /// How much of it can be seen, 0 to 1.
    public var opacity: Double

    /// The part `source` of `content`, drawn into `frame`; where it lies, if there is none.
    public init(_ content: Content, source: PointRect, frame: PointRect? = nil, opacity: Double = 1) {
        self.content = content
        self.source = source
        self.frame = frame ?? source
        self.opacity = opacity
    }
}
