import WebImage

extension TransitionPainter {
    /// Draws a page that moves in all of the view.
    func paint(_ page: MovingPage, as layer: TransitionLayer, into snapshot: Snapshot) {
        guard layer.frame != layer.source else { return paint(page, within: visible ?? scene.bounds, into: snapshot) }
        snapshot.moved(toX: layer.frame.x, y: layer.frame.y) {
            snapshot.fitted(from: layer.source, to: layer.frame.size) {
                paint(page, within: scene.bounds, into: snapshot)
            }
        }
    }

    private func paint(_ page: MovingPage, within area: PointRect, into snapshot: Snapshot) {
        guard let seen = area.intersection(scene.bounds) else { return }
        let place = PixelGrid(scale: scene.scale).outset(seen)
        guard let part = page.frame.flatMap({ pixels(of: $0, in: place) }) else { return }
        let source = visible == nil ? scene.bounds : page.source(of: place)
        let front = surface(of: page.content, coveringAtLeast: source)
        let ground = page.background.flatMap { surface(of: $0, coveringAtLeast: visible == nil ? source : place) }
        let pages = PageRenderer(
            page, scale: scene.scale, front: front?.pagePicture(isShaded: isOpaque(page.content), isTransposed: page.needsTransposed),
            ground: ground?.pagePicture(isShaded: page.background.map(isOpaque) ?? false))
        let (x, y) = (Int((place.x * scene.scale).rounded()), Int((place.y * scene.scale).rounded()))
        let isDrawn = canvas.draw(
            part.pieces(ofAtMost: TextureSlices.maximumSide), of: place, scale: scene.scale, isCairo: renderer == .cairo, into: snapshot
        ) { part, rows, bytesPerRow in
            let (left, top) = (x + part.x, y + part.y)
            pages.draw(
                x: left..<(left + part.size.width), y: top..<(top + part.size.height), into: rows,
                bytesPerRow: bytesPerRow)
        }
        // Without memory for a page, its content at rest is better than nothing.
        if !isDrawn { paint(TransitionLayer(page.content, source: scene.bounds), into: snapshot) }
    }

    private func surface(of content: TransitionLayer.Content, coveringAtLeast part: PointRect?) -> CairoSurface? {
        let (picture, frame) = content == .new ? (new, scene.newFrame) : (old, scene.oldFrame)
        guard let picture, let frame, let part else { return nil }
        return visible == nil
            ? picture.surface(lyingIn: frame, seenIn: part, scale: scene.scale)
            : picture.surface(lyingIn: frame, coveringAtLeast: part, scale: scene.scale)
    }

    private func isOpaque(_ content: TransitionLayer.Content) -> Bool {
        content == .new ? scene.isNewOpaque : scene.isOldOpaque
    }

    /// The device pixels of a rectangle of the view, from the corner of `place`; nil for none.
    private func pixels(of rect: PointRect, in place: PointRect) -> PixelRect? {
        guard let seen = rect.intersection(place) else { return nil }
        let whole = PixelGrid(scale: scene.scale).outset(seen)
        return PixelRect(
            x: Int(((whole.x - place.x) * scene.scale).rounded()), y: Int(((whole.y - place.y) * scene.scale).rounded()),
            size: CairoMemory.size(of: whole, scale: scene.scale))
    }
}

extension TransitionLayer {
    /// Whether it is a page that moves in space.
    var isPage: Bool { if case .page = content { true } else { false } }
}
