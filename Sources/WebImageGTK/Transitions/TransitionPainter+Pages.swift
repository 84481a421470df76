import WebImage

extension TransitionPainter {
    /// The side of a tile in device pixels. OpenGL draws tiles at rest from textures that it has; a smaller side is
    /// nearer to what moves, and a larger one has fewer textures.
    private static let tileSide = 128

    /// Draws a page that moves in all of the view.
    func paint(_ page: MovingPage, as layer: TransitionLayer, into snapshot: Snapshot) {
        guard layer.frame != layer.source, let area = visible ?? scene.bounds.intersection(scene.bounds) else {
            return paint(page, within: visible ?? scene.bounds, into: snapshot)
        }
        snapshot.moved(toX: layer.frame.x, y: layer.frame.y) {
            snapshot.fitted(from: layer.source, to: layer.frame.size) { paint(page, within: area, into: snapshot) }
        }
    }

    private func paint(_ page: MovingPage, within area: PointRect, into snapshot: Snapshot) {
        guard let seen = area.intersection(scene.bounds) else { return }
        let place = PixelGrid(scale: scene.scale).outset(seen)
        let parts = parts(of: page, in: place)
        let source = visible == nil ? scene.bounds : page.source(of: place)
        let front = surface(of: page.content, coveringAtLeast: source)
        let ground = page.background.flatMap { surface(of: $0, coveringAtLeast: visible == nil ? source : place) }
        let pages = PageRenderer(
            page, scale: scene.scale, front: front?.pagePicture(isShaded: isOpaque(page.content)),
            ground: ground?.pagePicture(isShaded: page.background.map(isOpaque) ?? false))
        let (x, y) = (Int((place.x * scene.scale).rounded()), Int((place.y * scene.scale).rounded()))
        let isDrawn = canvas.draw(
            parts.moving, of: place, scale: scene.scale, isCairo: renderer == .cairo, into: snapshot
        ) { part, rows, bytesPerRow in
            let (left, top) = (x + part.x, y + part.y)
            pages.draw(
                x: left..<(left + part.size.width), y: top..<(top + part.size.height), into: rows,
                bytesPerRow: bytesPerRow)
        }
        // Without memory for a page, its content at rest is better than nothing.
        guard isDrawn else { return paint(TransitionLayer(page.content, source: scene.bounds), into: snapshot) }
        for part in parts.atRest { paint(part, into: snapshot) }
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

    /// The parts of a frame that are drawn pixel by pixel, in device pixels from the corner of `place`, and those that
    /// are at rest.
    private func parts(of page: MovingPage, in place: PointRect) -> (moving: [PixelRect], atRest: [TransitionLayer]) {
        let all = PixelRect(CairoMemory.size(of: place, scale: scene.scale))
        guard renderer != .cairo else { return ([all], []) }
        var moving: [PixelRect] = []
        var atRest: [TransitionLayer] = []
        for tile in all.pieces(ofAtMost: Self.tileSide) {
            let frame = PointRect(
                x: place.x + Double(tile.x) / scene.scale, y: place.y + Double(tile.y) / scene.scale,
                width: Double(tile.size.width) / scene.scale, height: Double(tile.size.height) / scene.scale)
            switch page.part(in: frame, pixel: 1 / scene.scale) {
            case .nothing: break
            case .page: atRest.append(TransitionLayer(page.content, source: frame))
            case .ground: if let ground = page.background { atRest.append(TransitionLayer(ground, source: frame)) }
            case .moving: moving.appendTile(tile)
            }
        }
        return (moving, atRest)
    }
}

extension TransitionLayer {
    /// Whether it is a page that moves in space.
    var isPage: Bool { if case .page = content { true } else { false } }
}

extension [PixelRect] {
    /// Adds a tile, as one rectangle with its left neighbour.
    fileprivate mutating func appendTile(_ tile: PixelRect) {
        guard let last, last.y == tile.y, last.x + last.size.width == tile.x else { return append(tile) }
        self[count - 1].size.width += tile.size.width
    }
}
