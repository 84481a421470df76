import Glibc
import WebImage
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation

extension ReferencePainter {
    init(scene: TransitionScene, old: Pixels?, new: Pixels?, blurredNew: Pixels? = nil) {
        self.init(scene: scene, old: old, new: new, blurredNew: blurredNew) { $0.scaled(by: $1).motion }
    }
}

extension MovingPage {
    /// The motion that the reference computes.
    fileprivate var motion: PageReference.Motion {
        switch shape {
        case .flip(let flip): .flip(isAroundVertical: flip.axis == .horizontal, angle: atan2(flip.sine, flip.cosine))
        case .curl(let curl):
            .curl(x: curl.direction.x, y: curl.direction.y, fold: curl.fold, radius: curl.radius)
        case .zoom(let zoom): .zoom(zoom.factor)
        }
    }
}
