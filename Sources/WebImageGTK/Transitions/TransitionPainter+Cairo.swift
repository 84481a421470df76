import WebImage

extension TransitionPainter {
    /// Draws the layers as one cairo node if cairo can draw them from surfaces, and otherwise as for every renderer.
    func paintByCairo(_ layers: [TransitionLayer], into snapshot: Snapshot) {
        var strokes: [CairoStroke] = []
        for layer in layers {
            if let own = self.strokes(of: layer) {
                strokes += own
            } else {
                snapshot.drawByCairo(strokes, in: scene.bounds)
                strokes = []
                paint(layer, into: snapshot)
            }
        }
        snapshot.drawByCairo(strokes, in: scene.bounds)
    }

    /// The cairo strokes for the layers; nil where a layer cannot be drawn from surfaces, and where memory is short.
    func strokes(of layers: [TransitionLayer]) -> [CairoStroke]? {
        var all: [CairoStroke] = []
        for layer in layers {
            guard let strokes = strokes(of: layer) else { return nil }
            all += strokes
        }
        return all
    }

    private func strokes(of layer: TransitionLayer) -> [CairoStroke]? {
        switch layer.content {
        case .old: stroke(of: old, lyingIn: scene.oldFrame, as: layer)
        case .new: stroke(of: new, lyingIn: scene.newFrame, as: layer)
        case .blurredNew: stroke(of: new?.blurred() ?? new, lyingIn: scene.newFrame, as: layer)
        case .crossDissolve(let progress): strokes(ofDissolve: progress, layer)
        case .page: nil
        case .shade(let start, let end, let axis):
            [
                CairoStroke(
                    paint: .shade(from: start, to: end, axis: axis), area: layer.frame, opacity: layer.opacity)
            ]
        }
    }

    private func strokes(ofDissolve progress: Double, _ layer: TransitionLayer) -> [CairoStroke]? {
        // Opacity of the whole differs from opacity of each part.
        guard layer.opacity >= 1, let parts = parts(ofDissolve: progress, layer) else { return nil }
        return strokes(of: parts)
    }

    private func stroke(
        of picture: TransitionPicture?, lyingIn contentFrame: PointRect?, as layer: TransitionLayer
    ) -> [CairoStroke]? {
        guard layer.opacity > 0, let picture, let contentFrame, contentFrame.intersection(layer.source) != nil else {
            return []
        }
        // Surfaces hold nothing outside the view, and an enlarged layer is sharper when drawn from the picture.
        guard isInSurface(contentFrame, layer), !layer.isEnlarged(byMoreThan: 1.5 / scene.scale),
            let surface = picture.surface(
                lyingIn: contentFrame, seenIn: scene.bounds, scale: scene.scale, hasSwappedColors: hasSwappedColors)
        else { return nil }
        guard let part = surface.place.intersection(layer.source) else { return [] }
        let map = RectMap(layer.source, to: layer.frame)
        let area = map(part).mirrored(
            in: layer.frame, horizontally: layer.isMirroredHorizontally, vertically: layer.isMirroredVertically)
        let isMirrored = CairoStroke.Mirroring(
            horizontally: layer.isMirroredHorizontally, vertically: layer.isMirroredVertically)
        return [
            CairoStroke(paint: .surface(surface, map, isMirrored: isMirrored), area: area, opacity: layer.opacity)
        ]
    }

    private func isInSurface(_ contentFrame: PointRect, _ layer: TransitionLayer) -> Bool {
        contentFrame.intersection(layer.source).map(scene.bounds.contains) ?? true
    }
}

extension [TransitionLayer] {
    /// Whether more than a quarter of `bounds` is drawn twice.
    func isStacked(in bounds: PointRect) -> Bool {
        let drawn = reduce(0) { area, layer in
            area + (layer.frame.intersection(bounds)?.area ?? 0) * layer.pictureCount
        }
        return drawn > 1.25 * bounds.area
    }
}

extension TransitionLayer {
    fileprivate var pictureCount: Double {
        if case .crossDissolve(let progress) = content, progress > 0, progress < 1 { 2 } else { 1 }
    }

    /// Whether a side of the part grows by more than `points`.
    fileprivate func isEnlarged(byMoreThan points: Double) -> Bool {
        frame.size.width > source.size.width + points || frame.size.height > source.size.height + points
    }
}
