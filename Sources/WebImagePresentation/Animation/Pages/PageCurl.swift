import Glibc
import WebImageCore

/// A page that rolls up from a lower corner, or from its lower end, around a cylinder, which moves to the opposite side
/// and uncovers the content below.
///
/// Seen from above, the page is flat up to the fold, where the cylinder touches it; then it wraps around half of the
/// cylinder, first with its front and then with its back visible; then it is flat again on top of itself, with its back
/// visible. Only the uppermost part is drawn, so that translucent pages are correct, too. Positions are measured across
/// the cylinder, from the corner of the view that it reaches last.
struct PageCurl: Sendable, Equatable {
    let bounds: PointRect
    /// The direction across the cylinder, in which positions grow: a unit vector that points down.
    let direction: Point
    /// The position where the cylinder touches the page.
    let fold: Double
    let radius: Double

    struct Point: Sendable, Equatable {
        var x: Double
        var y: Double
    }

    /// - Parameters:
    ///   - progress: 0 for a flat page to 1 for one that has left the view, with its shadow.
    ///   - angle: The cylinder's angle from horizontal, in radians; with a positive one the lower right corner rolls up
    ///     first.
    init(progress: Double, angle: Double, in scene: TransitionScene) {
        bounds = scene.bounds
        // Reciprocals of a smaller one are no use.
        direction = abs(angle) < 1e-4 ? Point(x: 0, y: 1) : Point(x: sin(angle), y: cos(angle))
        let length = bounds.size.width * abs(direction.x) + bounds.size.height * direction.y
        radius = max(1e-3, length / 8)
        fold = length - min(1, max(0, progress)) * (length + 2 * radius)
    }

    private init(bounds: PointRect, direction: Point, fold: Double, radius: Double) {
        self.bounds = bounds
        self.direction = direction
        self.fold = fold
        self.radius = radius
    }

    func scaled(by factor: Double) -> PageCurl {
        PageCurl(
            bounds: bounds.scaled(by: factor), direction: direction, fold: fold * factor, radius: radius * factor)
    }
}

extension PageCurl {
    /// The last visible position of the page.
    var crest: Double { fold + radius }

    /// The length of the shadows.
    var shadowLength: Double { radius }

    /// The place of a point of the view.
    func place(ofX x: Double, y: Double) -> Double {
        (x - (direction.x < 0 ? bounds.maxX : bounds.x)) * direction.x + (y - bounds.y) * direction.y
    }

    /// The position on the page whose front is at a place before the crest.
    func front(at place: Double) -> Double {
        place <= fold ? place : fold + radius * asin(min(1, (place - fold) / radius))
    }

    /// The position on the page whose back is at a place before the crest.
    func back(at place: Double) -> Double { looseEnd - front(at: place) }

    /// The position on the page that is farthest from its first corner.
    var length: Double { bounds.size.width * abs(direction.x) + bounds.size.height * direction.y }

    /// The place where the back of position 0 would be; the back of other positions is before it.
    var looseEnd: Double { 2 * fold + .pi * radius }
}

extension TransitionEffect {
    /// The angle of a page's cylinder from horizontal, in radians, unless another one is given: 20°.
    package static let curlAngle = Double.pi / 9

    /// The former content rolls up from the lower right corner like a page, and uncovers the new one.
    public static let curlUp = curlUp(angle: curlAngle)

    /// The new content unrolls from the top left corner like a page, and covers the former one.
    public static let curlDown = curlDown(angle: curlAngle)

    /// ``curlUp`` around a cylinder at an angle.
    ///
    /// - Parameter angle: From horizontal, in radians: -π/3 to π/3, to which other values are clamped; NaN is 0. A
    ///   positive angle rolls up the lower right corner first, a negative one the lower left one, and 0 all of the lower
    ///   edge at once.
    public static func curlUp(angle: Double) -> TransitionEffect {
        let angle = angle.isNaN ? 0 : min(.pi / 3, max(-.pi / 3, angle))
        return TransitionEffect(builtIn: "curlUp") { progress, scene in
            [TransitionLayer(.curl(PageCurl(progress: progress, angle: angle, in: scene)), isNew: false, in: scene)]
        }
    }

    /// ``curlDown`` around a cylinder at an angle: ``curlUp(angle:)`` from its end to its beginning.
    public static func curlDown(angle: Double) -> TransitionEffect { curlUp(angle: angle).reversed(as: "curlDown") }
}
