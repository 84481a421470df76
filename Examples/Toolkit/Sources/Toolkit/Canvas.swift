import WebImage

/// Pixels to draw into. One point is one pixel.
struct Canvas {
    /// The pixels; nil without memory.
    private(set) var bitmap: Bitmap?

    /// Transparent pixels.
    init(_ size: PixelSize) {
        bitmap = try? Bitmap(size: size, pixels: [UInt8](repeating: 0, count: size.width * size.height * 4))
    }

    /// Draws a picture at its place.
    mutating func draw(_ picture: SurfacePicture?, opacity: Double = 1) {
        guard let picture, let frame = picture.frame else { return }
        draw(picture.bitmap, in: frame, opacity: opacity)
    }

    /// Draws a layer of a transition. A content is drawn at rest, cut out, and drawn at the place of the layer.
    mutating func draw(_ layer: TransitionLayer, of frame: TransitionFrame) {
        switch layer.content {
        case .old: draw(frame.old, as: layer)
        case .new, .blurredNew: draw(frame.new, as: layer)
        case .crossDissolve(let progress):
            draw(frame.old)
            draw(frame.new, opacity: progress)
        case .page(let page):
            if let pixels = try? frame.bitmap(of: page) { draw(pixels, in: frame.scene.bounds) }
        // A shade only darkens what other layers draw.
        case .shade: break
        }
    }

    /// The colour of the pixel in the middle; nil for a transparent one.
    var middle: RGBAColor? {
        guard let bitmap else { return nil }
        let color = Image(bitmap: bitmap).color(x: bitmap.size.width / 2, y: bitmap.size.height / 2)
        return color?.alpha == 0 ? nil : color
    }

    private mutating func draw(_ content: SurfacePicture?, as layer: TransitionLayer) {
        guard let size = bitmap?.size else { return }
        var rest = Canvas(size)
        rest.draw(content)
        let source = layer.source
        let (columns, rows) = (range(source.x, source.size.width), range(source.y, source.size.height))
        guard let part = try? rest.bitmap?.cropped(columns: columns, rows: rows) else { return }
        let turned = try? part.flipped(horizontal: layer.isMirroredHorizontally, vertical: layer.isMirroredVertically)
        if let turned { draw(turned, in: layer.frame, opacity: layer.opacity) }
    }

    private mutating func draw(_ pixels: Bitmap, in frame: PointRect, opacity: Double = 1) {
        let size = PixelSize(width: Int(frame.size.width.rounded()), height: Int(frame.size.height.rounded()))
        guard size.width > 0, size.height > 0, let pixels = try? pixels.resized(to: size) else { return }
        bitmap = try? bitmap?.overlaid(
            with: pixels, x: Int(frame.x.rounded()), y: Int(frame.y.rounded()), opacity: opacity)
    }

    private func range(_ start: Double, _ length: Double) -> Range<Int> {
        Int(start.rounded())..<Int((start + length).rounded())
    }
}
