import WebImageCore

/// A transition under way.
struct RunningTransition {
    let effect: TransitionEffect?
    let old: SurfacePicture?
    var timeline: AnimationTimeline
    /// Called with the progress of each frame, finally with 1.
    let advance: @MainActor (Double) -> Void
    /// Called once; false for a transition that was interrupted.
    let ended: @MainActor (_ isFinished: Bool) -> Void
    /// The call for the next frame.
    var next: (any CancellableTask)?
}

extension SurfaceDisplay {
    /// The time between two frames.
    private static let frameTime = Duration.nanoseconds(16_666_667)

    func transition(
        _ transition: WebImageTransition<SurfaceDisplay>, to image: Image, in view: SurfaceDisplay,
        steps: TransitionSteps
    ) {
        let context = TransitionContext(
            duration: canMove(for: transition.duration) ? transition.duration : .zero,
            timingFunction: transition.timingFunction,
            allowsImplicitAnimation: transition.animationOptions.contains(.allowsImplicitAnimation))
        begin(
            RunningTransition(
                effect: transition.effect, old: seen,
                timeline: AnimationTimeline(
                    duration: transition.duration.seconds, timing: transition.timingFunction),
                advance: context.advance, ended: steps.ended)
        ) {
            steps.set()
            context.run(steps.animate)
        }
    }

    /// Shows a sharper picture of the same load.
    func dissolve(to image: Image, as role: PictureRole, in duration: Duration) {
        guard image !== picture?.image else { return set(image, as: role) }
        begin(
            RunningTransition(
                effect: .crossDissolve, old: seen,
                timeline: AnimationTimeline(duration: duration.seconds, timing: .easeOut), advance: { _ in },
                ended: { _ in })
        ) { set(image, as: role) }
    }

    /// Stops what moves at its current frame: another picture comes.
    func interrupt() { stop()?.ended(false) }

    /// Stops what moves at its last frame.
    func finishTransition() {
        guard let stopped = stop() else { return }
        end(stopped)
    }

    /// The picture that the view shows, which another one replaces.
    private var seen: SurfacePicture? {
        guard running != nil, let size = surface?.placement?.size, let pixels = surface?.snapshot() else {
            return picture
        }
        return SurfacePicture(
            image: Image(bitmap: pixels), bitmap: pixels, role: .placeholder, frame: PointRect(x: 0, y: 0, size: size))
    }

    private func canMove(for duration: Duration) -> Bool {
        isSeen && AnimationTimeline.lasts(duration.seconds) && surface?.placement?.size.isEmpty == false
    }

    private func begin(_ transition: RunningTransition, changes: () -> Void) {
        interrupt()
        transitionCount += 1
        let number = transitionCount
        let wasChanging = isChanging
        isChanging = true
        changes()
        isChanging = wasChanging
        // The changes, or the end of the interrupted transition, have begun a later one.
        guard number == transitionCount else { return transition.ended(false) }
        guard canMove(for: .seconds(transition.timeline.duration)) else { return end(transition) }
        running = transition
        arrangePlayback()
        step()
    }

    private func end(_ transition: RunningTransition) {
        redraw()
        arrangePlayback()
        transition.advance(1)
        transition.ended(true)
    }

    private func step() {
        guard let frame = running?.timeline.frame(at: clock.now.microseconds), !frame.isLast,
            let transition = running,
            let drawn = TransitionFrame(
                transition.effect, at: frame.progress, from: transition.old, to: picture, in: surface?.placement)
        else { return finishTransition() }
        // First, so that what is called below may stop it.
        running?.next = clock.call(at: clock.now + Self.frameTime) { [weak self] in self?.step() }
        surface?.show(.transition(drawn))
        transition.advance(frame.progress)
    }

    /// Stops what moves, without a callback.
    @discardableResult
    func stop() -> RunningTransition? {
        guard let stopped = running else { return nil }
        running = nil
        stopped.next?.cancel()
        return stopped
    }
}
