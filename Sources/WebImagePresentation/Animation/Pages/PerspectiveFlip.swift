import Glibc
import WebImageCore

/// A page with the former content on its front and the new one on its back, that makes half a turn around its centre
/// line.
///
/// All lengths along the axis are relative to the centre of the view, in front of which the eye is. A view clips at its
/// bounds, so the page moves back as it turns, which keeps its near edge in the view's plane.
struct PerspectiveFlip: Sendable, Equatable {
    /// Whether the new content's face is visible.
    let isNew: Bool
    /// The axis along which the page is foreshortened.
    let axis: TransitionLayer.Axis

    let bounds: PointRect
    /// Half of the page's length.
    let reach: Double
    /// The cosine of the face's angle from flat; the sign of the sine is that of the near side.
    let cosine: Double
    let sine: Double
    /// The distances from the eye to the page's centre, and to the view's plane.
    private let distance: Double
    private let eyeDistance: Double

    /// - Parameters:
    ///   - side: The side that moves towards the eye, and over to the opposite side.
    ///   - progress: 0 to 1, and slightly beyond: up to where the other face would be visible again.
    init(from side: ViewSide, progress: Double, in scene: TransitionScene) {
        let turn = min(1.45, max(-0.45, progress))
        let angle = (turn < 0.5 ? turn : turn - 1) * .pi
        // A shorter distance makes the far edge tiny; a longer one makes the turn look flat.
        self.init(
            isNew: turn >= 0.5, axis: side.axis, bounds: scene.bounds, cosine: cos(angle),
            sine: -side.direction * sin(angle), eyeDistance: 2 * max(scene.size.width, scene.size.height))
    }

    private init(
        isNew: Bool, axis: TransitionLayer.Axis, bounds: PointRect, cosine: Double, sine: Double, eyeDistance: Double
    ) {
        self.isNew = isNew
        self.axis = axis
        self.bounds = bounds
        self.cosine = cosine
        self.sine = sine
        self.eyeDistance = eyeDistance
        reach = axis.along(bounds).length / 2
        distance = eyeDistance + reach * abs(sine)
    }

    func scaled(by factor: Double) -> PerspectiveFlip {
        PerspectiveFlip(
            isNew: isNew, axis: axis, bounds: bounds.scaled(by: factor), cosine: cosine, sine: sine,
            eyeDistance: eyeDistance * factor)
    }
}

extension PerspectiveFlip {
    /// The magnification at `position`, a point of the page; 1 in the view's plane.
    func magnification(at position: Double) -> Double { eyeDistance / (distance - position * sine) }

    /// The visible position of a point of the page.
    func projection(of position: Double) -> Double { position * cosine * magnification(at: position) }

    /// The point of the page that is visible at a position; the inverse of ``projection(of:)``.
    func position(seenAt place: Double) -> Double { place * distance / (eyeDistance * cosine + place * sine) }

    /// The brightness at a point of the page, 0 to 1: darker with the page's angle and the point's distance.
    func light(at position: Double) -> Double {
        let depth = reach * abs(sine) - position * sine
        return 1 - 0.2 * abs(sine) - 0.3 * depth / (2 * reach)
    }
}

extension TransitionEffect {
    /// The view turns like a page around its vertical centre line, its left side towards the viewer.
    public static let flipFromLeft = flip(from: .left, "flipFromLeft")
    /// The view turns like a page around its vertical centre line, its right side towards the viewer.
    public static let flipFromRight = flip(from: .right, "flipFromRight")
    /// The view turns like a page around its horizontal centre line, its top towards the viewer.
    public static let flipFromTop = flip(from: .top, "flipFromTop")
    /// The view turns like a page around its horizontal centre line, its bottom towards the viewer.
    public static let flipFromBottom = flip(from: .bottom, "flipFromBottom")

    private static func flip(from side: ViewSide, _ name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            let page = PerspectiveFlip(from: side, progress: progress, in: scene)
            return [TransitionLayer(.flip(page), isNew: page.isNew, in: scene)]
        }
    }
}
