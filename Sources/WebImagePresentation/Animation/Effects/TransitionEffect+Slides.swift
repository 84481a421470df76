extension TransitionEffect {
    /// The new content moves in from the left and pushes the former one out.
    public static let pushFromLeft = push(from: .left, "pushFromLeft")
    /// The new content moves in from the right and pushes the former one out.
    public static let pushFromRight = push(from: .right, "pushFromRight")
    /// The new content moves in from the top and pushes the former one out.
    public static let pushFromTop = push(from: .top, "pushFromTop")
    /// The new content moves in from the bottom and pushes the former one out.
    public static let pushFromBottom = push(from: .bottom, "pushFromBottom")

    /// The former content slides down and uncovers the new one from the top.
    public static let revealFromTop = reveal(from: .top, "revealFromTop")
    /// The former content slides up and uncovers the new one from the bottom.
    public static let revealFromBottom = reveal(from: .bottom, "revealFromBottom")

    private static func push(from side: ViewSide, _ name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            let old = side.shift(by: progress, in: scene)
            // Both move by the same whole pixels, for a view of any size.
            let new = old - side.direction * side.axis.along(scene.bounds).length
            return [
                TransitionLayer(.old, source: scene.bounds, frame: scene.bounds.moved(by: old, along: side.axis)),
                TransitionLayer(.new, source: scene.bounds, frame: scene.bounds.moved(by: new, along: side.axis)),
            ]
        }
    }

    private static func reveal(from side: ViewSide, _ name: String) -> TransitionEffect {
        TransitionEffect(builtIn: name) { progress, scene in
            let bounds = scene.bounds
            let covered = bounds.moved(by: side.shift(by: min(1, max(0, progress)), in: scene), along: side.axis)
            // The new content must not show through a translucent former picture.
            return bounds.subtracting(covered).map { TransitionLayer(.new, source: $0) }
                + [TransitionLayer(.old, source: bounds, frame: covered)]
        }
    }
}

extension ViewSide {
    /// The distance in points, in whole pixels, of content that leaves the view on the opposite side.
    fileprivate func shift(by progress: Double, in scene: TransitionScene) -> Double {
        direction * PixelGrid(scale: scene.scale).snap(progress * axis.along(scene.bounds).length)
    }
}
