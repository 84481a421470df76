import WebImage

/// One transition of one view: what of a ``WebImageTransition`` a display needs to know, and whom it tells.
struct TransitionRun {
    /// What is seen; nil changes the picture at once.
    var effect: TransitionEffect?
    /// Seconds; zero or less ends at once.
    var duration: Double
    var timing = TimingFunction.easeInEaseOut
    /// Whether changes to alpha and transform happen gradually.
    var allowsImplicitAnimation = false
    /// Whether the widget gets input meanwhile.
    var allowsUserInteraction = true
    /// Gets the progress of each frame; the last time exactly 1, unless the transition is interrupted.
    var onFrame: ((Double) -> Void)?
    /// Called exactly once: with false when the transition was interrupted.
    var finished: ((Bool) -> Void)?
}

extension TransitionRun {
    /// The run of a transition whose steps the caller runs.
    init<View>(_ transition: WebImageTransition<View>) {
        self.init(effect: transition.effect, duration: transition.duration)
        timing = transition.timingFunction ?? .easeInEaseOut
        allowsImplicitAnimation = transition.animationOptions.contains(.allowsImplicitAnimation)
        allowsUserInteraction = transition.animationOptions.contains(.allowUserInteraction)
    }
}
