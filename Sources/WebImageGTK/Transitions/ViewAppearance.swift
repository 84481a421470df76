import WebImage

/// The properties of a view's picture, besides its pixels, that an app may change, at once or animated.
struct ViewAppearance: Equatable {
    /// From 0, invisible, to 1.
    var alpha = 1.0
    var transform = ViewTransform.identity

    func moved(to other: ViewAppearance, by progress: Double) -> ViewAppearance {
        ViewAppearance(
            alpha: alpha + (other.alpha - alpha) * progress,
            transform: transform.moved(to: other.transform, by: progress)
        )
    }
}

extension Snapshot {
    /// Draws the content of a view of `size` with an appearance.
    func draw(as appearance: ViewAppearance, in size: PointSize, _ body: () -> Void) {
        let transform = appearance.transform
        faded(to: appearance.alpha) {
            guard transform != .identity else { return body() }
            guard transform.isSeen else { return }
            let (x, y) = (size.width / 2, size.height / 2)
            moved(toX: x + transform.x, y: y + transform.y) {
                turned(by: transform.angle, scale: transform.scale) { moved(toX: -x, y: -y, body) }
            }
        }
    }
}

extension ViewTransform {
    /// Whether anything is visible, and every number is finite: renderers crash at an angle of NaN.
    fileprivate var isSeen: Bool {
        rotation.isFinite && (1e-6...1e6).contains(abs(scale)) && abs(x) <= 1e6 && abs(y) <= 1e6
    }

    /// The rotation without the full turns.
    fileprivate var angle: Double { rotation.truncatingRemainder(dividingBy: 2 * .pi) }
}
