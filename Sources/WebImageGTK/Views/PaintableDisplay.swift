import CGtk4
import WebImage

/// The content of one place of one widget, and its running transition.
package final class PaintableDisplay {
    /// The source of time for animations; tests replace it.
    var time = FrameAnimation.frameTime

    /// Called during a draw when a picture is drawn for the first time, or at another size than before.
    var resized: () -> Void = {}
    /// The number of draws of pictures at rest.
    private(set) var drawCount = 0
    private var drawnSize: PointSize?

    let target: any PaintableTarget
    var shown: Shown?
    var running: Running?
    /// The appearance that the app has set, and the one that is currently drawn.
    var appearances = (asked: ViewAppearance(), seen: ViewAppearance())
    /// Counts transitions, so that one detects that another began within it.
    var starts = 0
    /// True during the changes of a transition, which show from its first frame on.
    var isChanging = false
    /// False once the widget is being destroyed: nothing may touch it then. A callback to the app may have destroyed
    /// it.
    var isAlive = true
    /// Redraws, on scrolling, a picture that is drawn in visible tiles only.
    private var scrolling: ScrollWatch?
    /// The playback of the animation that is shown; nil for a still picture.
    var playback: DisplayPlayback?
    var playbackSettings = PlaybackSettings() {
        didSet { applyPlaybackSettings(insteadOf: oldValue) }
    }
    /// The source of time for playback; tests replace it.
    var playbackClock: any AnimationClock = MainQueueClock.shared
    /// The time of draws; tests replace it.
    var drawTime: () -> Duration = { MainQueueClock.shared.now }
    var playbackWish = PlaybackWish.none
    var playbackWatch: PlaybackWatch?
    /// The place at which the animation of a released picture goes on; nil for the beginning.
    var placeToGoOn: DisplayPlayback.Place?
    /// Whether the animation had its last play before the picture was decoded again, so that it is not to play anew.
    var staysAtEnd = false

    /// The content that this object has put into the widget.
    struct Shown {
        /// nil on the way to content of the app's.
        let still: StillContent?
        /// A running transition, or one stopped midway; nil for a picture at rest.
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
        // The widget may be in another scroller than before.
        connect(widget, "map") { [weak self] in
            self?.watchScrolling()
            self?.arrangePlayback()
        }
        connect(widget, "unmap") { [weak self] in
            self?.playbackWatch = nil
            self?.leaveEnd()
            self?.arrangePlayback()
        }
        connect(widget, "destroy") { [weak self] in self?.end() }
    }

    isolated deinit { running?.run.finished?(false) }

    /// The picture that is shown or on its way in; nil when the widget shows nothing, or content of the app's.
    var image: Image? { showsOwnPaintable ? shown?.still?.image : nil }

    var isAnimating: Bool { running != nil }

    /// Whether an animation plays in it.
    var isPlaying: Bool { playback?.isPlaying ?? false }

    /// The widget's paintable, ours or the app's.
    var paintable: OpaquePointer? { isAlive ? target.paintable : nil }

    /// nil after the end of the widget. A paintable may outlive its widget: another widget shows it, or a drag icon
    /// does.
    var viewport: Viewport? { isAlive ? target.viewport : nil }

    var visibleArea: VisibleArea? { isAlive ? target.visibleArea : nil }

    var showsOwnPaintable: Bool { paintable.map { $0 == shown?.handle.pointer } ?? false }

    private func end() {
        interrupt()
        isAlive = false
        scrolling = nil
        arrangePlayback()
    }
}

// MARK: - At rest

extension PaintableDisplay {
    /// Shows `image`, or nothing, at once, and interrupts a transition.
    ///
    /// - Parameters:
    ///   - size: The picture's layout size, in points; nil for that of its pixels.
    ///   - fit: The way it fits into the widget; nil for the widget's own way.
    package func show(_ image: Image?, size: PointSize? = nil, fit: ContentFit? = nil) {
        interrupt()
        // The interrupted change of the appearance jumps to its end; within a transition's changes it continues
        // instead.
        if !isChanging { appearances.seen = appearances.asked }
        if image !== self.image, !continues(with: image) { playbackWish = .none }
        placeToGoOn = nil
        leaveEnd()
        put(image.map { .picture(still($0, size, fit)) } ?? .nothing)
    }

    /// Whether `image` has more of the picture that is shown in part.
    private func continues(with image: Image?) -> Bool {
        guard let playback, !playback.belongsToFormerLoad else { return false }
        return image?.isAnimated == true && self.image?.metadata.isIncremental == true
    }

    /// Releases the picture. Nothing else changes; the layout stays the same, and so does the place of an animation.
    func drop() {
        finishTransition()
        let place = playback?.place ?? placeToGoOn
        replace(by: nil)
        placeToGoOn = place
    }

    /// Shows `image`, or nothing, in place of a released picture: as it was shown before that was loaded.
    func standIn(_ image: Image?, fit: ContentFit? = nil) {
        guard let still = shown?.still else { return }
        still.standIn(image.map { self.still($0, nil, fit) }) { [weak self] in self?.viewport }
        gtk_widget_queue_draw(target.widget)
    }

    /// Replaces the picture by another decode of it, or restores a released one; a transition continues.
    func replace(by image: Image?) {
        guard let still = shown?.still else { return }
        let wasImmutable = still.isImmutable
        still.image = image
        drawnSize = nil
        let isDrawnAsItIs = appearances.seen == ViewAppearance() && still.isImmutable == wasImmutable
        if running == nil, showsOwnPaintable, !isDrawnAsItIs { put(.picture(still)) }
        // GTK ignores change signals of a paintable that is declared immutable.
        gtk_widget_queue_draw(target.widget)
        arrangePlayback()
    }

    /// The next draw calls ``resized`` again, because the current content has changed.
    func lookAgain() {
        drawnSize = nil
        gtk_widget_queue_draw(target.widget)
    }

    private func noteDrawing(of still: StillContent?, at size: PointSize) {
        // A former picture may still be drawn elsewhere.
        guard still === shown?.still else { return }
        drawCount += 1
        notePlaybackDraw()
        noteSize(size)
    }

    private func noteSize(_ size: PointSize) {
        guard drawnSize != size else { return }
        drawnSize = size
        resized()
    }

    private func still(_ image: Image, _ size: PointSize?, _ fit: ContentFit?) -> StillContent {
        let content = StillContent(image, size: size, fit: fit, replacing: shown?.still)
        if image.icon != nil {
            content.iconWidget = { [weak self] in self.flatMap { $0.isAlive ? $0.target.widget : nil } }
        }
        content.drawn = { [weak self, weak content] in self?.noteDrawing(of: content, at: $0) }
        drawnSize = nil
        return content
    }

    /// The widget is hidden: transitions end, and scrolling is not watched.
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
        arrangePlayback()
    }

    private func resting(_ still: StillContent) -> any PaintableContent {
        if still.isTiled { still.visibleArea = { [weak self] in self?.visibleArea } }
        guard appearances.seen != ViewAppearance() else { return still }
        let content = TransitionContent(nil, from: nil, to: ViewContent(still)) { [weak self] in
            // The whole view is drawn then, not the picture alone.
            guard let self, let viewport else { return nil }
            notePlaybackDraw()
            noteSize(viewport.size)
            return viewport
        }
        content.visibleArea = still.visibleArea
        content.appearance = appearances.seen
        return content
    }
}
