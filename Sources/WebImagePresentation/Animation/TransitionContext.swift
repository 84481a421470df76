import WebImageCore

/// The animation of the changes in ``WebImageTransition/animations``.
///
/// ```swift
/// transition.animations = { view, image in
///     TransitionContext.current?.onFrame { progress in badge.setOpacity(progress) }
/// }
/// ```
/// It exists while `animations` runs, and at no other time.
@MainActor
public final class TransitionContext {
    /// The context of the transition whose `animations` runs now; nil outside of that.
    public private(set) static var current: TransitionContext?

    /// Zero without movement, as when the desktop reduces motion.
    public let duration: Duration
    /// The curve from time to progress.
    public let timingFunction: TimingFunction
    /// Whether changes of animatable properties are animated.
    public let allowsImplicitAnimation: Bool

    private var handlers: [@MainActor (Double) -> Void] = []
    private var isRunning = false

    /// The context of one transition.
    package init(duration: Duration, timingFunction: TimingFunction, allowsImplicitAnimation: Bool) {
        self.duration = duration
        self.timingFunction = timingFunction
        self.allowsImplicitAnimation = allowsImplicitAnimation
    }

    /// Calls `handler` for each frame of the transition, to animate other properties with it: finally with exactly 1,
    /// unless the transition is interrupted. Handlers are called in the order in which they were added.
    ///
    /// Outside of `animations` no more frames come: a handler added then is never called.
    ///
    /// - Parameter handler: Gets the progress, 0 to 1 unless the timing function overshoots.
    public func onFrame(_ handler: @escaping @MainActor (_ progress: Double) -> Void) {
        guard isRunning else {
            return WebImageLog.warn(
                "TransitionContext.onFrame does nothing after the transition's animations have run; call it inside")
        }
        handlers.append(handler)
    }

    /// Runs `animations` with this context as the current one, and then restores the one before.
    package func run(_ animations: () -> Void) {
        let (outer, wasRunning) = (Self.current, isRunning)
        Self.current = self
        isRunning = true
        defer {
            Self.current = outer
            isRunning = wasRunning
        }
        animations()
    }

    /// Passes the progress to all handlers.
    package func advance(to progress: Double) {
        for handler in handlers { handler(progress) }
    }
}
