import WebImage

/// Draws the layers of a transition with GTK, identically under every renderer: parts of pictures, opacity, colours, and
/// pages in space, whose pixels the library computes. GSK's 3D transforms and its blur differ between renderers.
package final class TransitionPainter {
    /// The view, and where its former and its new content lie.
    package let scene: TransitionScene

    let old: TransitionPicture?
    let new: TransitionPicture?
    let visible: PointRect?
    let renderer: WindowRenderer
    let canvas: FrameCanvas

    /// Whether red and blue are exchanged in surfaces: OpenGL converts cairo's order when it uploads a texture.
    var hasSwappedColors: Bool { renderer != .cairo }

    /// - Parameters:
    ///   - old: The former content in `scene`; nil when the view was empty.
    ///   - new: The new content in `scene`; nil when the view becomes empty.
    ///   - visible: The visible part of a view that is far larger than a screen; nil for all of it. Nothing outside of
    ///     it is drawn, and pictures across its edges are drawn in tiles.
    package convenience init(
        scene: TransitionScene, old: TransitionPicture?, new: TransitionPicture?, visible: PointRect? = nil
    ) {
        self.init(scene: scene, old: old, new: new, visible: visible, renderer: .hardware)
    }

    /// - Parameters:
    ///   - renderer: For cairo, pictures are converted once to the size and the format that each frame needs; GTK would
    ///     convert and reduce them in each frame. For OpenGL in software, cairo composes the frame where pictures
    ///     overlap.
    ///   - canvas: For such composed frames; the same for all frames.
    init(
        scene: TransitionScene, old: TransitionPicture?, new: TransitionPicture?, visible: PointRect? = nil,
        renderer: WindowRenderer, canvas: FrameCanvas = FrameCanvas()
    ) {
        self.scene = scene
        self.old = old
        self.new = new
        self.visible = visible
        self.renderer = renderer
        self.canvas = canvas
    }

    /// The same, from bitmaps.
    package convenience init(scene: TransitionScene, old: Bitmap?, new: Bitmap?) {
        self.init(scene: scene, old: old.map { TransitionPicture($0) }, new: new.map { TransitionPicture($0) })
    }

    /// Draws one frame into a `GtkSnapshot` whose point (0, 0) is the view's top left corner.
    ///
    /// - Parameter layers: From back to front; parts outside the view are clipped.
    package func paint(_ layers: [TransitionLayer], into snapshot: OpaquePointer) {
        guard !scene.size.isEmpty else { return }
        old?.beginFrame()
        new?.beginFrame()
        let snapshot = Snapshot(pointer: snapshot)
        let seen = layers.compactMap { $0.seen(in: visible ?? scene.bounds) }
        snapshot.clipped(to: scene.bounds) {
            switch renderer {
            case .cairo where visible == nil: paintByCairo(seen, into: snapshot)
            case .softwareOpenGL where visible == nil && paintComposed(seen, into: snapshot): break
            default: for layer in seen { paint(layer, into: snapshot) }
            }
        }
    }

    /// Draws the layers as one texture where they overlap; false where they do not, or cannot be drawn so.
    private func paintComposed(_ layers: [TransitionLayer], into snapshot: Snapshot) -> Bool {
        guard old != nil, new != nil, layers.isStacked(in: scene.bounds) else { return false }
        if paintDissolve(layers, into: snapshot) { return true }
        guard let strokes = strokes(of: layers) else { return false }
        return canvas.draw(strokes, in: scene.bounds, scale: scene.scale, into: snapshot)
    }

    /// Draws a layer in the way that suits every renderer.
    func paint(_ layer: TransitionLayer, into snapshot: Snapshot) {
        snapshot.faded(to: layer.opacity) {
            switch layer.content {
            case .old: draw(old, lyingIn: scene.oldFrame, as: layer, into: snapshot)
            case .new: draw(new, lyingIn: scene.newFrame, as: layer, into: snapshot)
            case .blurredNew: draw(new?.blurred() ?? new, lyingIn: scene.newFrame, as: layer, into: snapshot)
            case .crossDissolve(let progress): dissolve(progress, layer, into: snapshot)
            case .shade(let start, let end, let axis): snapshot.fill(layer.frame, from: start, to: end, axis: axis)
            case .page(let page): paint(page, as: layer, into: snapshot)
            }
        }
    }

    func draw(
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
