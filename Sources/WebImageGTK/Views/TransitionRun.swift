import WebImage

/// One transition of one view: the parts of a ``WebImageTransition`` that a display needs, and its callbacks.
package struct TransitionRun {
    /// The effect; nil changes the picture at once.
    package var effect: TransitionEffect?
    /// In seconds; zero or less ends at once.
    package var duration: Double
    package var timing: TimingFunction
    /// Whether changes of alpha and transform are animated.
    package var allowsImplicitAnimation = false
    /// Whether the widget gets input during the transition.
    package var allowsUserInteraction = true
    /// Gets the progress of each frame; the last time exactly 1, unless the transition is interrupted.
    package var onFrame: ((Double) -> Void)?
    /// Called exactly once: with false when the transition was interrupted.
    package var finished: ((Bool) -> Void)?

    package init(effect: TransitionEffect?, duration: Double, timing: TimingFunction = .easeInEaseOut) {
        self.effect = effect
        self.duration = duration
        self.timing = timing
    }
}

extension TransitionRun {
    /// The run of a transition whose `prepares` and `animations` the caller calls.
    init<View>(_ transition: WebImageTransition<View>) {
        self.init(effect: transition.effect, duration: transition.duration.seconds)
        timing = transition.timingFunction
        allowsImplicitAnimation = transition.animationOptions.contains(.allowsImplicitAnimation)
        allowsUserInteraction = transition.animationOptions.contains(.allowUserInteraction)
    }
}
