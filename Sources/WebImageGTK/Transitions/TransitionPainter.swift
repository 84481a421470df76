import WebImage

/// Draws the layers of a transition with GTK, the same under every renderer: parts of pictures, their opacity, and
/// colours. Neither GSK's 3D transforms nor its blur are the same everywhere.
package final class TransitionPainter {
    /// The view, and where its former and its new content lie.
    package let scene: TransitionScene

    private let old: TransitionPicture?
    private let new: TransitionPicture?
    private let visible: PointRect?
    private let isDrawnByCairo: Bool

    /// - Parameters:
    ///   - old: What `scene` calls the former content; nil when the view showed nothing.
    ///   - new: What it calls the new one; nil when the view shows nothing from now on.
    ///   - visible: The part of the view that is seen, when the view is far larger; nil for all of it. What lies beside
    ///     it is not drawn, and what lies across its edges is drawn in tiles.
    ///   - isDrawnByCairo: Whether the renderer is cairo, for which some things are drawn in another way: the same pixels,
    ///     in half of the time.
    package init(
        scene: TransitionScene, old: TransitionPicture?, new: TransitionPicture?, visible: PointRect? = nil,
        isDrawnByCairo: Bool = false
    ) {
        self.scene = scene
        self.old = old
        self.new = new
        self.visible = visible
        self.isDrawnByCairo = isDrawnByCairo
    }

    /// The same, with the pixels of the contents.
    package convenience init(scene: TransitionScene, old: Bitmap?, new: Bitmap?) {
        self.init(scene: scene, old: old.map { TransitionPicture($0) }, new: new.map { TransitionPicture($0) })
    }

    /// Draws one frame into a `GtkSnapshot`, whose point (0, 0) is the view's top left corner.
    ///
    /// - Parameter layers: From back to front; what of them lies outside the view is cut off.
    package func paint(_ layers: [TransitionLayer], into snapshot: OpaquePointer) {
        guard !scene.size.isEmpty else { return }
        old?.beginFrame()
        new?.beginFrame()
        let snapshot = Snapshot(pointer: snapshot)
        snapshot.clipped(to: scene.bounds) {
            for layer in layers {
                guard let seen = layer.seen(in: visible ?? scene.bounds) else { continue }
                snapshot.faded(to: seen.opacity) { paint(seen, into: snapshot) }
            }
        }
    }

    private func paint(_ layer: TransitionLayer, into snapshot: Snapshot) {
        switch layer.content {
        case .old: draw(old, lyingIn: scene.oldFrame, as: layer, into: snapshot)
        case .new: draw(new, lyingIn: scene.newFrame, as: layer, into: snapshot)
        case .blurredNew: draw(new?.blurred() ?? new, lyingIn: scene.newFrame, as: layer, into: snapshot)
        case .crossDissolve(let progress): dissolve(min(1, max(0, progress)), layer, into: snapshot)
        case .shade(let start, let end, let axis): snapshot.fill(layer.frame, from: start, to: end, axis: axis)
        }
    }

    private func dissolve(_ progress: Double, _ layer: TransitionLayer, into snapshot: Snapshot) {
        func drawOld() { draw(old, lyingIn: scene.oldFrame, as: layer, into: snapshot) }
        func drawNew() { draw(new, lyingIn: scene.newFrame, as: layer, into: snapshot) }
        if progress == 0 || new == nil || scene.newFrame == nil {
            snapshot.faded(to: 1 - progress) { drawOld() }
        } else if progress == 1 || old == nil || scene.oldFrame == nil {
            snapshot.faded(to: progress, drawNew)
        } else if newHidesOld(in: layer.source) {
            if isDrawnByCairo, dissolveByCairo(progress, layer, into: snapshot) { return }
            // The same pixels as a cross-fade's, and a third cheaper.
            drawOld()
            snapshot.faded(to: progress, drawNew)
        } else {
            snapshot.crossFaded(progress, from: drawOld, to: drawNew)
        }
    }

    /// - Returns: False for a layer that is not just the whole view, and where memory is short.
    private func dissolveByCairo(_ progress: Double, _ layer: TransitionLayer, into snapshot: Snapshot) -> Bool {
        let bounds = scene.bounds
        guard visible == nil, layer == TransitionLayer(layer.content, source: bounds),
            let start = scene.oldFrame.flatMap({ old?.surface(lyingIn: $0, seenIn: bounds, scale: scene.scale) }),
            let end = scene.newFrame.flatMap({ new?.surface(lyingIn: $0, seenIn: bounds, scale: scene.scale) })
        else { return false }
        snapshot.drawByCairo(start, under: end, opacity: progress, in: bounds)
        return true
    }

    private func newHidesOld(in source: PointRect) -> Bool {
        guard scene.isNewOpaque, let newFrame = scene.newFrame else { return false }
        guard let visible = scene.oldFrame?.intersection(source) else { return true }
        return newFrame.contains(visible)
    }

    private func draw(
        _ picture: TransitionPicture?, lyingIn contentFrame: PointRect?, as layer: TransitionLayer,
        into snapshot: Snapshot
    ) {
        guard let picture, let contentFrame, let part = contentFrame.intersection(layer.source) else { return }
        let frame = RectMap(layer.source, to: layer.frame)(part).mirrored(
            in: layer.frame, horizontally: layer.isMirroredHorizontally, vertically: layer.isMirroredVertically)
        guard frame.isDrawable else { return }
        picture.draw(
            TransitionPicture.Placement(
                contentFrame: contentFrame, part: part, frame: frame,
                isMirroredHorizontally: layer.isMirroredHorizontally,
                isMirroredVertically: layer.isMirroredVertically, scale: scene.scale, visible: visible),
            into: snapshot)
    }
}
