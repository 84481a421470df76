import WebImage

/// A running animation of a browser.
protocol PageAnimation: AnyObject {
    /// Stops it where it is; it does not end then.
    func stop()
}

extension FrameAnimation: PageAnimation {}

/// Starts the animations of a browser; tests have one whose time they set.
protocol PageAnimator: AnyObject {
    /// - Parameters:
    ///   - duration: In seconds.
    ///   - step: Gets the progress of each frame; 1 with the last one.
    ///   - ended: Called after the last frame.
    /// - Returns: nil where it has ended at once.
    func start(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) -> (any PageAnimation)?
}
