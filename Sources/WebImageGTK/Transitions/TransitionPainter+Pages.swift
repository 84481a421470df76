import WebImage

extension TransitionPainter {
    /// Draws a page that moves in all of the view.
    func paint(_ page: MovingPage, as layer: TransitionLayer, into snapshot: Snapshot) {
        guard layer.isAlteredPage(in: scene) else {
            return paint(page, within: visible ?? scene.bounds, into: snapshot)
        }
        guard let part = layer.source.intersection(scene.bounds), part.isDrawable else { return }
        let (isMirroredHorizontally, isMirroredVertically) = (layer.isMirroredHorizontally, layer.isMirroredVertically)
        let frame = RectMap(layer.source, to: layer.frame)(part).mirrored(
            in: layer.frame, horizontally: isMirroredHorizontally, vertically: isMirroredVertically)
        guard frame.isDrawable else { return }
        snapshot.clipped(to: frame) {
            snapshot.mirrored(in: frame, horizontally: isMirroredHorizontally, vertically: isMirroredVertically) {
                snapshot.moved(toX: frame.x, y: frame.y) {
                    snapshot.fitted(from: part, to: frame.size) {
                        paint(page, within: scene.bounds, into: snapshot)
                    }
                }
            }
        }
    }

    private func paint(_ page: MovingPage, within area: PointRect, into snapshot: Snapshot) {
        guard let seen = area.intersection(scene.bounds) else { return }
        let place = PixelGrid(scale: scene.scale).outset(seen)
        guard let part = page.frame.flatMap({ pixels(of: $0, in: place) }) else { return }
        let source = visible == nil ? scene.bounds : page.source(of: place)
        let front = picture(of: page.content, covering: source, isTransposed: page.needsTransposed)
        let ground = page.background.flatMap { picture(of: $0, covering: visible == nil ? source : place) }
        let pages = PageRenderer(page, scale: scene.scale, front: front?.pixels, ground: ground?.pixels)
        let isDrawn = withExtendedLifetime((front?.surface, ground?.surface)) {
            draw(part, of: place, into: snapshot) { pages.draw(x: $0, y: $1, into: $2, bytesPerRow: $3) }
        }
        // Without memory for a page, its content at rest is better than nothing.
        if !isDrawn { paint(TransitionLayer(page.content, source: scene.bounds), into: snapshot) }
    }

    /// Draws a part of the view pixel by pixel; false where there is no memory for it.
    ///
    /// - Parameters:
    ///   - part: In device pixels from the corner of `place`.
    ///   - drawing: Gets columns and rows of the view in device pixels, and memory for them.
    func draw(
        _ part: PixelRect, of place: PointRect, into snapshot: Snapshot,
        _ drawing: (Range<Int>, Range<Int>, UnsafeMutableRawPointer, _ bytesPerRow: Int) -> Void
    ) -> Bool {
        let (x, y) = (Int((place.x * scene.scale).rounded()), Int((place.y * scene.scale).rounded()))
        return canvas.draw(
            part.pieces(ofAtMost: TextureSlices.maximumSide), of: place, scale: scene.scale,
            isCairo: renderer == .cairo, into: snapshot
        ) { part, rows, bytesPerRow in
            let (left, top) = (x + part.x, y + part.y)
            drawing(left..<(left + part.size.width), top..<(top + part.size.height), rows, bytesPerRow)
        }
    }

    /// A content at rest, and the surface that holds its pixels; nil when it is empty, and when memory is short.
    func picture(
        of content: TransitionLayer.Content, covering part: PointRect?, isTransposed: Bool = false
    ) -> (pixels: PagePicture, surface: CairoSurface)? {
        let (picture, frame) = content == .new ? (new, scene.newFrame) : (old, scene.oldFrame)
        guard let picture, let frame, let part else { return nil }
        let surface =
            visible == nil
            ? picture.surface(
                lyingIn: frame, seenIn: part, scale: scene.scale, hasSwappedColors: hasSwappedColors)
            : picture.surface(
                lyingIn: frame, coveringAtLeast: part, scale: scene.scale, hasSwappedColors: hasSwappedColors)
        return surface.flatMap { surface in
            surface.pagePicture(isShaded: isOpaque(content), isTransposed: isTransposed).map { ($0, surface) }
        }
    }

    private func isOpaque(_ content: TransitionLayer.Content) -> Bool {
        content == .new ? scene.isNewOpaque : scene.isOldOpaque
    }

    /// The device pixels of a rectangle of the view, from the corner of `place`; nil for none.
    private func pixels(of rect: PointRect, in place: PointRect) -> PixelRect? {
        guard let seen = rect.intersection(place) else { return nil }
        let whole = PixelGrid(scale: scene.scale).outset(seen)
        return PixelRect(
            x: Int(((whole.x - place.x) * scene.scale).rounded()),
            y: Int(((whole.y - place.y) * scene.scale).rounded()),
            size: CairoMemory.size(of: whole, scale: scene.scale))
    }
}

extension TransitionLayer {
    /// Whether an app has changed what an effect of the library has made.
    fileprivate func isAlteredPage(in scene: TransitionScene) -> Bool {
        source != scene.bounds || frame != source || isMirroredHorizontally || isMirroredVertically
    }

    /// Whether it is a page that moves in space.
    var isPage: Bool { if case .page = content { true } else { false } }
}
