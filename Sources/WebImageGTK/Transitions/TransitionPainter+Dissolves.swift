import WebImage

extension TransitionPainter {
    /// Draws a dissolve of the whole view pixel by pixel; false where the layers are something else, or where memory is
    /// short.
    func paintDissolve(_ layers: [TransitionLayer], into snapshot: Snapshot) -> Bool {
        guard layers.count == 1, case .crossDissolve(let progress) = layers[0].content,
            layers[0] == TransitionLayer(layers[0].content, source: scene.bounds),
            let old = picture(of: .old, covering: scene.bounds), let new = picture(of: .new, covering: scene.bounds)
        else { return false }
        let place = old.surface.place.union(new.surface.place)
        let part = PixelRect(CairoMemory.size(of: place, scale: scene.scale))
        let dissolve = PictureDissolve(progress, from: old.pixels, to: new.pixels)
        return withExtendedLifetime((old.surface, new.surface)) {
            draw(part, of: place, into: snapshot) { dissolve.draw(x: $0, y: $1, into: $2, bytesPerRow: $3) }
        }
    }

    func dissolve(_ progress: Double, _ layer: TransitionLayer, into snapshot: Snapshot) {
        if let parts = parts(ofDissolve: progress, layer) {
            for part in parts { paint(part, into: snapshot) }
        } else {
            snapshot.crossFaded(progress) {
                draw(old, lyingIn: scene.oldFrame, as: layer, into: snapshot)
            } to: {
                draw(new, lyingIn: scene.newFrame, as: layer, into: snapshot)
            }
        }
    }

    /// Layers that give the same pixels as a dissolve at two thirds of its cost; nil where there are none, as for a
    /// translucent new picture.
    func parts(ofDissolve progress: Double, _ layer: TransitionLayer) -> [TransitionLayer]? {
        let progress = min(1, max(0, progress))
        func part(_ content: TransitionLayer.Content, _ opacity: Double) -> TransitionLayer {
            var part = layer
            part.content = content
            part.opacity = opacity
            return part
        }
        if progress == 0 || new == nil || scene.newFrame == nil { return [part(.old, 1 - progress)] }
        if progress == 1 || old == nil || scene.oldFrame == nil { return [part(.new, progress)] }
        if newHidesOld(in: layer.source) { return [part(.old, 1), part(.new, progress)] }
        // The old content has to fade out by itself where the new picture does not cover it.
        guard let covered = coveredByNew(layer) else { return nil }
        return [TransitionLayer(.old, source: covered)]
            + layer.source.subtracting(covered).map { TransitionLayer(.old, source: $0, opacity: 1 - progress) }
            + [part(.new, progress)]
    }

    /// The whole device pixels of a layer that the new picture hides; nil for none, and where the layer is drawn away
    /// from the place of its contents.
    private func coveredByNew(_ layer: TransitionLayer) -> PointRect? {
        guard scene.isNewOpaque, layer.frame == layer.source, !layer.isMirroredHorizontally,
            !layer.isMirroredVertically
        else { return nil }
        let part = scene.newFrame?.intersection(layer.source)
        return part.flatMap { PixelGrid(scale: scene.scale).inset($0) }
    }

    private func newHidesOld(in source: PointRect) -> Bool {
        guard scene.isNewOpaque, let newFrame = scene.newFrame else { return false }
        guard let visible = scene.oldFrame?.intersection(source) else { return true }
        return newFrame.contains(visible)
    }
}
