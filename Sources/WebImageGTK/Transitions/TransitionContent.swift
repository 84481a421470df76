import CGtk4
import WebImage

/// The transition from a view's former content to its new content. It has no clock: its owner sets ``progress`` and
/// invalidates it.
///
/// A widget draws it in the frame of the new picture, but a transition covers the whole view: it draws beyond that
/// frame, and the view clips it.
final class TransitionContent: PaintableContent {
    /// From 0, the former content alone, to 1, the new content alone; an effect may overshoot both.
    var progress: Double = 0
    var appearance = ViewAppearance()

    /// The visible part of the view, where a view is far larger than a screen: nothing else is drawn. nil for all of
    /// it.
    var visibleArea: () -> VisibleArea? = { nil }

    /// The renderer of the window that shows it.
    var renderer = WindowRenderer.hardware

    let isImmutable: Bool
    private let effect: TransitionEffect?
    private let old: ViewContent?
    private let new: ViewContent?
    private let viewport: () -> Viewport?
    /// Whether it has the size of the view instead of the size of the new picture.
    private let coversView: Bool
    private let canvas = FrameCanvas()

    /// - Parameters:
    ///   - effect: The effect between the two; nil for the new content alone.
    ///   - viewport: Asked at every draw. A view lays out old and new content each in its own proportions, and the old
    ///     content must stay where it was. Without a viewport, both are stretched to the drawn size.
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

    var aspectRatio: Double { fillsView ? 0 : intrinsicSize.aspectRatio }

    /// Whether it is drawn in all of the view: the new picture fits into that in its own way.
    private var fillsView: Bool { coversView || new?.fit != nil }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let size = PointSize(width: width, height: height)
        let scene = scene(drawnAs: size)
        let place = fillsView ? scene.bounds : scene.newFrame ?? scene.bounds
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

    /// The current frame, without its appearance. A transition that has not advanced shows its former content:
    /// transitions that interrupt each other before their first frame cost nothing.
    var seen: ViewContent? {
        guard effect != nil else { return new }
        return progress == 0 ? old : ViewContent(self)
    }

    /// The whole view as currently drawn, without its appearance.
    func capturedView() -> any PaintableContent {
        let copy = copy(coversView: true)
        copy.visibleArea = visibleArea
        return copy
    }

    /// Reduces pictures that are far larger than drawn, so that they draw as fast as small ones from some frame on. A
    /// graphics card does not need it: it keeps its textures.
    func shrinkPictures() {
        guard renderer != .hardware, let viewport = viewport() else { return }
        for content in [old, new] {
            content?.picture.shrink(to: content?.frame(in: viewport).size ?? viewport.size, scale: viewport.scale)
        }
    }

    /// Whether drawing it in each frame of another transition costs more than two pictures.
    var isDear: Bool {
        guard let viewport = viewport(), !viewport.size.isEmpty else { return true }
        let layers = layers(in: scene(drawnAs: viewport.size))
        return old?.isTransition == true || layers.count > 2 || layers.contains { $0.isPage }
    }

    private func copy(coversView: Bool) -> TransitionContent {
        let viewport = viewport()
        let copy = TransitionContent(
            effect, from: old, to: new, isImmutable: true, coversView: coversView, viewport: { viewport })
        copy.progress = progress
        return copy
    }

    private func visiblePart(of scene: TransitionScene) -> PointRect? {
        // A rotated or moved view is not visible where it is laid out.
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
