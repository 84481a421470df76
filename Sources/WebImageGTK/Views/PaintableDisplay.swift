import CGtk4
import WebImage

/// What one place of one widget shows, and the one transition that may be changing it.
package final class PaintableDisplay {
    /// Where animations get their time; tests put their own in.
    var time = FrameAnimation.frameTime

    /// Told while drawing when the picture is drawn at another size than the last time.
    var resized: () -> Void = {}
    /// How often a picture at rest was drawn.
    private(set) var drawCount = 0
    private var drawnSize: PointSize?

    let target: any PaintableTarget
    private var shown: Shown?
    private var running: Running?
    /// What the app asked for, and what is seen of it at this moment.
    private var appearances = (asked: ViewAppearance(), seen: ViewAppearance())
    /// Counts transitions, so that one can tell that another began within it.
    private var starts = 0
    /// While the changes of a transition are made, which are seen from its first frame on.
    private var isChanging = false
    /// False when the widget is going: nothing may touch it any more, and what the app is told may have ended it.
    private var isAlive = true
    /// For a picture of which only what is seen is drawn.
    private var scrolling: ScrollWatch?

    /// What this object has put into the widget.
    private struct Shown {
        /// nil on the way to something that is not ours.
        let still: StillContent?
        /// What moves, or has been stopped on its way; nil for a picture at rest.
        var transition: TransitionContent?
        let handle: PaintableHandle
    }

    private struct Running {
        let run: TransitionRun
        let animation: FrameAnimation
        let end: RestingContent
        let hold: InputHold?
        var appearances: (start: ViewAppearance, end: ViewAppearance)
    }

    package init(_ target: any PaintableTarget) {
        self.target = target
        let widget = UnsafeMutableRawPointer(target.widget)
        // The widget may lie in another scroller than before.
        connect(widget, "map") { [weak self] in self?.watchScrolling() }
        connect(widget, "destroy") { [weak self] in self?.end() }
    }

    isolated deinit { running?.run.finished?(false) }

    /// The picture shown or on its way in; nil when the widget shows nothing, or something that is not ours.
    var image: Image? { showsOwnPaintable ? shown?.still?.image : nil }

    var isAnimating: Bool { running != nil }

    /// What the widget shows, whoever has put it there.
    private var paintable: OpaquePointer? { isAlive ? target.paintable : nil }

    /// A paintable may outlive its widget: another one shows it, or it follows the pointer. nil for what is drawn then.
    private var viewport: Viewport? { isAlive ? target.viewport : nil }

    private var visibleArea: VisibleArea? { isAlive ? target.visibleArea : nil }

    private var showsOwnPaintable: Bool { paintable.map { $0 == shown?.handle.pointer } ?? false }

    private func end() {
        interrupt()
        isAlive = false
        scrolling = nil
    }
}

// MARK: - At rest

extension PaintableDisplay {
    /// Shows `image` at once, or nothing; what was changing is interrupted.
    ///
    /// - Parameter size: The picture's own size, in points; nil for that of its pixels.
    package func show(_ image: Image?, size: PointSize? = nil) {
        interrupt()
        // What was on its way to another appearance will not go on; a transition goes on from where it was.
        if !isChanging { appearances.seen = appearances.asked }
        put(image.map { .picture(still($0, size)) } ?? .nothing)
    }

    /// Lets go of the picture. Nothing else changes, least of all what the widget lays out.
    func drop() {
        finishTransition()
        replace(by: nil)
    }

    /// Shows `image`, or nothing, where the picture that was let go was.
    func standIn(_ image: Image?) {
        guard let still = shown?.still else { return }
        still.standIn(image)
        gtk_widget_queue_draw(target.widget)
    }

    /// Puts another decode of the picture, or the one that was let go, in its place; a transition goes on.
    func replace(by image: Image?) {
        guard let still = shown?.still else { return }
        let wasTiled = still.isTiled
        still.image = image
        let isDrawnAsItIs = appearances.seen == ViewAppearance() && still.isTiled == wasTiled
        if running == nil, showsOwnPaintable, !isDrawnAsItIs { put(.picture(still)) }
        // A paintable that never changes by itself is not watched by the widget.
        gtk_widget_queue_draw(target.widget)
    }

    private func noteDrawing(at size: PointSize) {
        drawCount += 1
        guard drawnSize != size else { return }
        drawnSize = size
        resized()
    }

    private func still(_ image: Image, _ size: PointSize?) -> StillContent {
        let content = StillContent(image, size: size)
        content.drawn = { [weak self] in self?.noteDrawing(at: $0) }
        return content
    }

    /// The widget is hidden: nothing moves, and nothing is watched.
    func suspend() {
        finishTransition()
        scrolling = nil
    }

    private func watchScrolling() {
        scrolling = nil
        guard isAlive, let shown, shown.still?.isTiled == true, target.isMapped else { return }
        scrolling = ScrollWatch(target.widget) { [weak self] in self?.shown?.handle.invalidateContents() }
    }

    /// The picture's alpha and transform, which an app's own paintables do not have. Seen at once, unless they are set
    /// within the changes of a transition.
    var appearance: ViewAppearance {
        get { appearances.asked }
        set {
            appearances.asked = newValue
            if !isChanging { showAppearance() }
        }
    }

    private func showAppearance() {
        let appearance = appearances.asked
        appearances.seen = appearance
        if running != nil {
            running?.appearances = (appearance, appearance)
            shown?.transition?.appearance = appearance
            shown?.handle.invalidateContents()
        } else if showsOwnPaintable, let still = shown?.still {
            put(.picture(still))
        }
    }

    /// What the widget shows at this moment, for a later transition to start from.
    func captureCurrent() -> ViewContent? {
        guard let paintable else { return nil }
        guard showsOwnPaintable, let shown else {
            return ViewContent(currentImageOf: PaintableHandle(retaining: paintable))
        }
        return shown.transition.map { $0.seen } ?? shown.still.flatMap { ViewContent($0) }
    }

    private func put(_ content: RestingContent) {
        guard isAlive else { return }
        switch content {
        case .nothing:
            shown = nil
            target.paintable = nil
        case .picture(let still):
            let handle = PaintableHandle(resting(still))
            shown = Shown(still: still, handle: handle)
            target.paintable = handle.pointer
        case .other(let paintable):
            shown = nil
            target.paintable = paintable.pointer
        }
        watchScrolling()
    }

    private func resting(_ still: StillContent) -> any PaintableContent {
        if still.isTiled { still.visibleArea = { [weak self] in self?.visibleArea } }
        guard appearances.seen != ViewAppearance() else { return still }
        let content = TransitionContent(nil, from: nil, to: ViewContent(still)) { [weak self] in self?.viewport }
        content.visibleArea = still.visibleArea
        content.appearance = appearances.seen
        return content
    }
}

// MARK: - Transitions

extension PaintableDisplay {
    /// Shows `image` by a transition; an interrupted one goes on from what is seen at this moment.
    package func transition(to image: Image?, size: PointSize? = nil, _ run: TransitionRun) {
        transition(run) { show(image, size: size) }
    }

    /// Shows a part of a picture that is still coming, one that stands in for it, or in the end the picture itself.
    func show(step image: Image, size: PointSize? = nil, as progress: ProgressiveDisplay) {
        switch progress {
        // A picture that was refreshed, and is the same, goes on as it is.
        case .blurToSharp where image === self.image: break
        case .topToBottom: show(image, size: size)
        case .blurToSharp(let duration):
            transition(
                to: image, size: size, TransitionRun(effect: .crossDissolve, duration: duration, timing: .easeOut))
        }
    }

    /// A transition from what the widget shows now to what it shows after `changes`, which may set the picture and the
    /// appearance, and anything else. Where nobody could see it, and where the desktop wants nothing to move, it has
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
        // A transition within the changes, or within the end of the interrupted one, is the later one.
        guard start == starts else { return run.end(isFinished: false) }
        begin(run, from: former, appearance)
    }

    /// Lets the picture that is shown already appear gradually over `former`.
    func fadeIn(over former: ViewContent?, _ transition: FadeTransition) {
        guard showsOwnPaintable, shown?.still != nil else { return }
        interrupt()
        starts += 1
        let run = TransitionRun(effect: .crossDissolve, duration: transition.duration, timing: transition.timing)
        begin(run, from: former, appearances.seen)
    }

    /// Goes to the end of a transition at once; what the app has put into the widget meanwhile stays.
    func finishTransition() {
        guard let ended = stop() else { return }
        appearances.seen = appearances.asked
        if showsOwnPaintable { put(ended.end) } else { shown = nil }
        ended.run.end(isFinished: true)
    }

    /// Ends a transition where it is: another picture comes, or the widget goes.
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
    }

    /// Whether somebody could see something move, and wants to.
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
        // The desktop may have changed its mind.
        guard target.allowsAnimations else { return finishTransition() }
        let appearance = running.appearances.start.moved(to: running.appearances.end, by: progress)
        appearances.seen = appearance
        shown?.transition?.progress = progress
        shown?.transition?.appearance = appearance
        shown?.handle.invalidateContents()
        running.run.onFrame?(progress)
    }

    /// Lets go of all that moves, and tells nobody.
    private func stop() -> Running? {
        guard let stopped = running else { return nil }
        running = nil
        stopped.animation.stop()
        stopped.hold?.release()
        return stopped
    }

    private var currentEnd: RestingContent {
        guard let paintable else { return .nothing }
        guard showsOwnPaintable else { return .other(PaintableHandle(retaining: paintable)) }
        return shown?.still.map { .picture($0) } ?? .nothing
    }
}

extension TransitionRun {
    fileprivate func end(isFinished: Bool) {
        if isFinished { onFrame?(1) }
        finished?(isFinished)
    }
}
