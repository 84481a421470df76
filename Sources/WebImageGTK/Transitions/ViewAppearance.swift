import WebImage

/// What of a view's picture an app may change besides the pixels, at once or gradually.
struct ViewAppearance: Equatable {
    /// 0, invisible, to 1.
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
    /// Draws what lies in a view of `size`, as `appearance` says.
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
    /// Whether anything is to be seen, by numbers that renderers can take: they end the program at an angle that is none.
    fileprivate var isSeen: Bool {
        rotation.isFinite && (1e-6...1e6).contains(abs(scale)) && abs(x) <= 1e6 && abs(y) <= 1e6
    }

    /// The rotation without the full turns.
    fileprivate var angle: Double { rotation.truncatingRemainder(dividingBy: 2 * .pi) }
}
