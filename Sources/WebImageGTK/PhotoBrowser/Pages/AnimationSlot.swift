import WebImage

/// The place of one animation: another one that begins stops it.
final class AnimationSlot {
    private let animator: any PageAnimator
    private var animation: (any PageAnimation)?

    init(_ animator: any PageAnimator) { self.animator = animator }

    var isRunning: Bool { animation != nil }

    /// - Parameters:
    ///   - duration: In seconds.
    ///   - step: Gets the progress of each frame; 1 with the last one.
    ///   - ended: Called after the last frame; it may begin another animation.
    func run(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) {
        stop()
        let started = animator.start(duration, timing, step: step) { [weak self] in
            self?.animation = nil
            ended()
        }
        // One that has ended at once may have begun another one.
        if let started { animation = started }
    }

    /// Stops it where it is; it does not end then.
    func stop() {
        let former = animation
        animation = nil
        former?.stop()
    }
}
