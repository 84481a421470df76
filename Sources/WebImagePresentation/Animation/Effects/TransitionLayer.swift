import WebImageCore

/// One element of a transition's frame.
///
/// A part of the former or the new content at rest (``source``) is drawn at another place, scaled or mirrored
/// (``frame``). Empty parts of the content draw nothing.
public struct TransitionLayer: Sendable, Equatable {
    /// The colour or picture that a layer draws.
    public enum Content: Sendable, Equatable {
        /// The view's former content.
        case old
        /// The view's new content.
        case new
        /// The new content, reduced so far that enlarging it blurs it.
        case blurredNew
        /// A cross-dissolve from the former content to the new one, each in its place at rest; 0 is the former one
        /// alone. Unlike two layers, it is correct for translucent pictures, too.
        case crossDissolve(Double)
        /// A gradient from the first side of the frame to the opposite one.
        case shade(from: RGBAColor, to: RGBAColor, axis: Axis)
        /// A page that moves in space in all of the view, as in the library's flips, curls and zooms.
        case page(MovingPage)
    }

    /// The direction of a gradient.
    public enum Axis: Sendable, Hashable {
        /// From left to right.
        case horizontal
        /// From top to bottom.
        case vertical
    }

    /// The colour or picture that the layer draws.
    public var content: Content
    /// The drawn part of it, in the view's points.
    public var source: PointRect
    /// The frame that the part is drawn into, in the view's points.
    public var frame: PointRect
    /// Whether it is mirrored left to right.
    public var isMirroredHorizontally = false
    /// Whether it is mirrored top to bottom.
    public var isMirroredVertically = false
    /// The opacity, 0 to 1.
    public var opacity: Double

    /// The part `source` of `content`, drawn into `frame`; by default at its own place.
    public init(_ content: Content, source: PointRect, frame: PointRect? = nil, opacity: Double = 1) {
        self.content = content
        self.source = source
        self.frame = frame ?? source
        self.opacity = opacity
    }
}
