import CGtk4
import WebImage

/// The way from what a view showed before to what it shows from now on. Holds no clock: somebody sets ``progress`` and
/// invalidates.
///
/// A widget draws it where it draws the new picture, but a transition happens in the whole view: it reaches beyond that
/// frame, and the view cuts it off.
final class TransitionContent: PaintableContent {
    /// From 0, the former content alone, to 1, the new one alone; an effect may be asked for what lies beyond.
    var progress: Double = 0
    var appearance = ViewAppearance()

    /// What is seen of the view: of one far larger than a screen, the rest is not drawn. nil for all of it.
    var visibleArea: () -> VisibleArea? = { nil }

    /// What draws the window in which it is seen.
    var renderer = WindowRenderer.hardware

    let isImmutable: Bool
    private let effect: TransitionEffect?
    private let old: ViewContent?
    private let new: ViewContent?
    private let viewport: () -> Viewport?
    /// Whether it is drawn as large as the view, not as the new picture.
    private let coversView: Bool
    private let canvas = FrameCanvas()

    /// - Parameters:
    ///   - effect: What is seen on the way; nil for the new content alone.
    ///   - viewport: Asked whenever it is drawn. A view lays out old and new each in its own proportions, and the old one
    ///     must stay where it was. Without a viewport, both are stretched to the size at which this is drawn.
    convenience init(
        _ effect: TransitionEffect?, from old: ViewContent?, to new: ViewContent?,
        viewport: @escaping () -> Viewport? = { nil }
    ) {
        self.init(effect, from: old, to: new, isImmutable: false, coversView: false, viewport: viewport)
    }

    private init(
        _ effect: TransitionEffect?, from old: ViewContent?, to new: ViewContent?, isImmutable: Bool, coversView: Bool,
        viewport: @escaping () -> Viewport?
    ) {
        self.effect = effect
        self.old = old
        self.new = new
        self.isImmutable = isImmutable
        self.coversView = coversView
        self.viewport = viewport
    }

    var intrinsicSize: PointSize {
        coversView ? PointSize(width: 0, height: 0) : new?.intrinsicSize ?? PointSize(width: 0, height: 0)
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let size = PointSize(width: width, height: height)
        let scene = scene(drawnAs: size)
        let place = coversView ? scene.bounds : scene.newFrame ?? scene.bounds
        let painter = TransitionPainter(
            scene: scene, old: old?.picture, new: new?.picture, visible: visiblePart(of: scene),
            renderer: renderer, canvas: canvas)
        let target = Snapshot(pointer: snapshot)
        target.fitted(from: place, to: size) {
            target.draw(as: appearance, in: scene.size) { painter.paint(layers(in: scene), into: snapshot) }
        }
    }

    func frozen() -> any PaintableContent {
        let copy = copy(coversView: coversView)
        copy.appearance = appearance
        return copy
    }

    /// What is seen now, but for its appearance. One that has not moved yet shows what it comes from: transitions that
    /// interrupt each other before anybody has seen one cost nothing.
    var seen: ViewContent? {
        guard effect != nil else { return new }
        return progress == 0 ? old : ViewContent(self)
    }

    /// All of the view as it is seen now, but for its appearance.
    func capturedView() -> any PaintableContent {
        let copy = copy(coversView: true)
        copy.visibleArea = visibleArea
        return copy
    }

    /// Lets pictures that are far larger than they are seen be drawn in the time of small ones, from some frame on. A
    /// graphics card has them once it has drawn them, and does not need it.
    func shrinkPictures() {
        guard renderer != .hardware, let viewport = viewport() else { return }
        for content in [old, new] {
            content?.picture.shrink(to: content?.frame(in: viewport).size ?? viewport.size, scale: viewport.scale)
        }
    }

    /// Whether drawing it in each frame of something else would cost more than a picture or two.
    var isDear: Bool {
        guard let viewport = viewport(), !viewport.size.isEmpty else { return true }
        return old?.isTransition == true || layers(in: scene(drawnAs: viewport.size)).count > 2
    }

    private func copy(coversView: Bool) -> TransitionContent {
        let viewport = viewport()
        let copy = TransitionContent(
            effect, from: old, to: new, isImmutable: true, coversView: coversView, viewport: { viewport })
        copy.progress = progress
        return copy
    }

    private func visiblePart(of scene: TransitionScene) -> PointRect? {
        // What is turned or moved is not seen where it lies.
        guard appearance.transform == .identity else { return nil }
        return visibleArea().flatMap { $0.isSmallPart ? $0.part : nil }
    }

    private func layers(in scene: TransitionScene) -> [TransitionLayer] {
        effect?.layers(at: progress, in: scene) ?? [TransitionLayer(.new, source: scene.bounds)]
    }

    private func scene(drawnAs size: PointSize) -> TransitionScene {
        var viewport = viewport() ?? Viewport(size: size, fit: .fill)
        if viewport.size.isEmpty { viewport = Viewport(size: size, fit: .fill, scale: viewport.scale) }
        func frame(_ content: ViewContent?) -> PointRect? {
            content.map { $0.frame(in: viewport) }
        }
        return TransitionScene(
            size: viewport.size, scale: viewport.scale, oldFrame: frame(old), newFrame: frame(new),
            isOldOpaque: old?.picture.isOpaque ?? true, isNewOpaque: new?.picture.isOpaque ?? true)
    }
}
