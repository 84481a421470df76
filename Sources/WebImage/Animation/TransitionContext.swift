/// How the changes that ``WebImageTransition/animations`` makes are animated.
///
/// ```swift
/// transition.animations = { view, image in
///     TransitionContext.current?.onFrame { progress in badge.setOpacity(progress) }
/// }
/// ```
/// There is one while `animations` runs, and none at any other time.
@MainActor
public final class TransitionContext {
    /// That of the transition whose `animations` runs now; nil outside of them.
    public private(set) static var current: TransitionContext?

    /// Gets the progress, 0 to 1 unless the timing function overshoots.
    public typealias FrameHandler = @MainActor (_ progress: Double) -> Void

    /// Seconds; 0 where nothing moves, as when the desktop asks for less motion.
    public let duration: Double
    /// How progress follows time.
    public let timingFunction: TimingFunction
    /// Whether changes to what the view can animate happen gradually.
    public let allowsImplicitAnimation: Bool

    private var handlers: [FrameHandler] = []
    private var isRunning = false

    /// The context of one transition.
    package init(duration: Double, timingFunction: TimingFunction, allowsImplicitAnimation: Bool) {
        self.duration = duration
        self.timingFunction = timingFunction
        self.allowsImplicitAnimation = allowsImplicitAnimation
    }

    /// Calls `handler` for each frame of the transition, to animate anything else with it: the last time with exactly 1,
    /// unless the transition is interrupted. In the order in which handlers were added.
    ///
    /// Outside of `animations` there are no frames to come any more: a handler that is added then is not called.
    public func onFrame(_ handler: @escaping FrameHandler) {
        guard isRunning else {
            return WebImageLog.warn(
                "TransitionContext.onFrame does nothing after the transition's animations have run; call it inside")
        }
        handlers.append(handler)
    }

    /// Runs `animations` with this context as the current one; afterwards the one before is the current one again.
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

    /// Tells all handlers how far the transition is.
    package func advance(to progress: Double) {
        for handler in handlers { handler(progress) }
    }
}
