import CGtk4
import WebImage

/// Transitions of one display.
extension PaintableDisplay {
    /// Shows `image` by a transition; an interrupted transition continues from its current frame.
    package func transition(to image: Image?, size: PointSize? = nil, _ run: TransitionRun) {
        transition(run) { show(image, size: size) }
    }

    /// Shows a partial picture, a stand-in, or finally the picture itself.
    func show(step image: Image, size: PointSize? = nil, as progress: ProgressiveDisplay) {
        switch progress {
        // A refreshed picture that did not change needs no transition.
        case .blurToSharp where image === self.image: lookAgain()
        case .topToBottom: show(image, size: size)
        case .blurToSharp(let duration):
            transition(
                to: image, size: size,
                TransitionRun(effect: .crossDissolve, duration: duration.seconds, timing: .easeOut)
            )
        }
    }

    /// A transition from the current content to the content after `changes`, which may set the picture and the
    /// appearance, and anything else. Where it would be invisible, and where the desktop turns animations off, it has
    /// ended when this returns.
    func transition(_ run: TransitionRun, changes: () -> Void) {
        interrupt()
        let former = captureCurrent()
        let appearance = appearances.seen
        starts += 1
        let start = starts
        let wasChanging = isChanging
        isChanging = true
        changes()
        isChanging = wasChanging
        // `changes`, or the end of the interrupted transition, began a later transition.
        guard start == starts else { return run.end(isFinished: false) }
        begin(run, from: former, appearance)
    }

    /// Fades the current picture in over `former`.
    func fadeIn(over former: ViewContent?, _ transition: FadeTransition) {
        guard showsOwnPaintable, shown?.still != nil else { return }
        interrupt()
        starts += 1
        let run = TransitionRun(
            effect: .crossDissolve, duration: transition.duration.seconds, timing: transition.timing)
        begin(run, from: former, appearances.seen)
    }

    /// Ends a transition at its last frame now; a paintable that the app has set meanwhile stays.
    func finishTransition() {
        guard let ended = stop() else { return }
        appearances.seen = appearances.asked
        if showsOwnPaintable { put(ended.end) } else { shown = nil }
        ended.run.end(isFinished: true)
    }

    /// Ends a transition at its current frame: another picture comes, or the widget is being destroyed.
    func interrupt() {
        stop()?.run.end(isFinished: false)
    }

    private func begin(_ run: TransitionRun, from former: ViewContent?, _ appearance: ViewAppearance) {
        let end = currentEnd
        guard canBeSeen(run) else {
            if appearances.seen != appearances.asked { showAppearance() }
            return run.end(isFinished: true)
        }
        let start = run.allowsImplicitAnimation ? appearance : appearances.asked
        let content = TransitionContent(run.effect, from: former.map(simplified), to: end.viewContent) { [weak self] in
            self?.viewport
        }
        content.visibleArea = { [weak self] in self?.visibleArea }
        content.renderer = target.widget.renderer
        content.shrinkPictures()
        content.appearance = start
        appearances.seen = start
        let handle = PaintableHandle(content)
        shown = Shown(still: end.still, transition: content, handle: handle)
        running = Running(
            run: run, animation: animation(run), end: end,
            hold: run.allowsUserInteraction ? nil : InputHold(target.widget), appearances: (start, appearances.asked))
        target.paintable = handle.pointer
        watchScrolling()
        arrangePlayback()
    }

    /// Whether the transition would be visible and the desktop allows it.
    func canBeSeen(_ run: TransitionRun) -> Bool {
        AnimationTimeline.lasts(run.duration) && isAlive && target.isMapped && !target.viewport.size.isEmpty
            && target.allowsAnimations
    }

    private func simplified(_ former: ViewContent) -> ViewContent {
        let area = target.visibleArea
        return former.simplified(in: target.viewport, visible: area?.isSmallPart == true ? area?.part : nil)
    }

    private func animation(_ run: TransitionRun) -> FrameAnimation {
        FrameAnimation(
            on: target.widget, timeline: AnimationTimeline(duration: run.duration, timing: run.timing), time: time,
            step: { [weak self] in self?.step(to: $0) }, ended: { [weak self] in self?.finishTransition() })
    }

    private func step(to progress: Double) {
        guard let running else { return }
        // The desktop's setting may have changed.
        guard target.allowsAnimations else { return finishTransition() }
        let appearance = running.appearances.start.moved(to: running.appearances.end, by: progress)
        appearances.seen = appearance
        shown?.transition?.progress = progress
        shown?.transition?.appearance = appearance
        shown?.handle.invalidateContents()
        running.run.onFrame?(progress)
    }

    /// Stops what moves, without any callback.
    private func stop() -> Running? {
        guard let stopped = running else { return nil }
        running = nil
        stopped.animation.stop()
        stopped.hold?.release()
        return stopped
    }
}

extension TransitionRun {
    fileprivate func end(isFinished: Bool) {
        if isFinished { onFrame?(1) }
        finished?(isFinished)
    }
}
