import CGtk4
import WebImage

/// What one place of one widget shows, and the one transition that may be changing it.
package final class PaintableDisplay {
    /// Where animations get their time; tests put their own in.
    var time = FrameAnimation.frameTime

    /// Told while drawing when a picture is drawn for the first time, or at another size than the last time.
    var resized: () -> Void = {}
    /// How often a picture at rest was drawn.
    private(set) var drawCount = 0
    private var drawnSize: PointSize?

    let target: any PaintableTarget
    var shown: Shown?
    var running: Running?
    /// What the app asked for, and what is seen of it at this moment.
    var appearances = (asked: ViewAppearance(), seen: ViewAppearance())
    /// Counts transitions, so that one can tell that another began within it.
    var starts = 0
    /// While the changes of a transition are made, which are seen from its first frame on.
    var isChanging = false
    /// False when the widget is going: nothing may touch it any more, and what the app is told may have ended it.
    var isAlive = true
    /// For a picture of which only what is seen is drawn.
    private var scrolling: ScrollWatch?

    /// What this object has put into the widget.
    struct Shown {
        /// nil on the way to something that is not ours.
        let still: StillContent?
        /// What moves, or has been stopped on its way; nil for a picture at rest.
        var transition: TransitionContent?
        let handle: PaintableHandle
    }

    struct Running {
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
    var paintable: OpaquePointer? { isAlive ? target.paintable : nil }

    /// A paintable may outlive its widget: another one shows it, or it follows the pointer. nil for what is drawn then.
    var viewport: Viewport? { isAlive ? target.viewport : nil }

    var visibleArea: VisibleArea? { isAlive ? target.visibleArea : nil }

    var showsOwnPaintable: Bool { paintable.map { $0 == shown?.handle.pointer } ?? false }

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
        drawnSize = nil
        let isDrawnAsItIs = appearances.seen == ViewAppearance() && still.isTiled == wasTiled
        if running == nil, showsOwnPaintable, !isDrawnAsItIs { put(.picture(still)) }
        // A paintable that never changes by itself is not watched by the widget.
        gtk_widget_queue_draw(target.widget)
    }

    /// What is shown already has become something else to whoever is ``resized``: that is told in the next frame.
    func lookAgain() {
        drawnSize = nil
        gtk_widget_queue_draw(target.widget)
    }

    private func noteDrawing(of still: StillContent?, at size: PointSize) {
        // One of before may outlive its place.
        guard still === shown?.still else { return }
        drawCount += 1
        noteSize(size)
    }

    private func noteSize(_ size: PointSize) {
        guard drawnSize != size else { return }
        drawnSize = size
        resized()
    }

    private func still(_ image: Image, _ size: PointSize?) -> StillContent {
        let content = StillContent(image, size: size)
        content.drawn = { [weak self, weak content] in self?.noteDrawing(of: content, at: $0) }
        drawnSize = nil
        return content
    }

    /// The widget is hidden: nothing moves, and nothing is watched.
    func suspend() {
        finishTransition()
        scrolling = nil
    }

    func watchScrolling() {
        scrolling = nil
        guard isAlive, let shown, shown.still?.isTiled == true, target.isMapped else { return }
        scrolling = ScrollWatch(target.widget) { [weak self] in self?.shown?.handle.invalidateContents() }
    }

    func put(_ content: RestingContent) {
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
        let content = TransitionContent(nil, from: nil, to: ViewContent(still)) { [weak self] in
            // It is not the picture that is drawn then, but the view as a whole.
            guard let self, let viewport else { return nil }
            noteSize(viewport.size)
            return viewport
        }
        content.visibleArea = still.visibleArea
        content.appearance = appearances.seen
        return content
    }
}
