import CGtk4
import WebImage

/// What one widget shows, and the one animation that may be changing it.
final class PaintableDisplay {
    /// Where animations get their time; tests put their own in.
    var time = FrameAnimation.frameTime

    private let target: any PaintableTarget
    private var still: (content: StillContent, handle: PaintableHandle)?
    private var fade: (animation: FrameAnimation, handle: PaintableHandle, ended: (Bool) -> Void)?
    private var interruptedFades = 0

    /// Fades that are interrupted by fades, one over the other, each draw one picture more.
    private static let maximumInterruptedFades = 3

    init(_ target: any PaintableTarget) { self.target = target }

    /// The picture shown or being faded in; nil when the widget shows nothing, or something that is not ours.
    var image: Image? { showsOwnPaintable ? still?.content.image : nil }

    var isAnimating: Bool { fade?.animation.isRunning ?? false }

    /// Shows `image` at once, or nothing.
    func show(_ image: Image?) {
        stopFade()
        still = image.map { image in
            let content = StillContent(image)
            return (content, PaintableHandle(content))
        }
        target.paintable = still?.handle.pointer
    }

    /// What the widget shows at this moment, for a later fade to start from.
    func captureCurrent() -> PaintableHandle? {
        guard let paintable = target.paintable else { return nil }
        if isAnimating {
            interruptedFades += 1
            if interruptedFades > Self.maximumInterruptedFades { return still?.handle }
        } else {
            interruptedFades = 0
        }
        return PaintableHandle(currentImageOf: paintable)
    }

    /// Lets the picture that is shown already appear gradually over `old`. Where nobody could see that, or the desktop
    /// wants nothing to move, the picture just stays.
    ///
    /// - Parameter ended: Called once when it is over; false when something else took the picture's place.
    func fadeIn(over old: PaintableHandle?, _ transition: FadeTransition, ended: @escaping (Bool) -> Void = { _ in }) {
        guard let still, showsOwnPaintable, target.isMapped, target.allowsAnimations else { return ended(true) }
        stopFade()
        let content = CrossFadeContent(from: old, to: still.content) { [target] in target.viewport }
        let handle = PaintableHandle(content)
        let animation = FrameAnimation(
            on: target.widget, timeline: AnimationTimeline(duration: transition.duration, timing: transition.timing),
            time: time,
            step: { [unowned handle] progress in
                content.progress = progress
                handle.invalidateContents()
            },
            ended: { [weak self] in self?.finishFade() })
        fade = (animation, handle, ended)
        target.paintable = handle.pointer
    }

    /// Goes to the end of a fade at once; what the app has put into the widget meanwhile stays.
    func finishFade() {
        guard let fade else { return }
        let showsFade = target.paintable == fade.handle.pointer
        fade.animation.stop()
        self.fade = nil
        if showsFade { target.paintable = still?.handle.pointer }
        fade.ended(showsFade)
    }

    /// The widget is going: no animation may touch it again.
    func stopFade() {
        guard let fade else { return }
        fade.animation.stop()
        self.fade = nil
        fade.ended(false)
    }

    private var showsOwnPaintable: Bool {
        guard let shown = target.paintable else { return false }
        return shown == still?.handle.pointer || shown == fade?.handle.pointer
    }
}
