import CGtk4
import WebImage

/// A picture at rest, or the current frame of an animation.
final class StillContent: PaintableContent {
    /// The picture; nil after it was released. The layout stays the same.
    var image: Image? {
        didSet { setForm(of: image) }
    }
    /// The visible part, for a picture in tiles: asked at every draw; nil for all of it.
    var visibleArea: () -> VisibleArea? = { nil }
    /// Called during each draw, with the size.
    var drawn: (PointSize) -> Void = { _ in }
    /// The widget whose colours an icon has; nil for the colours of its pixels.
    var iconWidget: () -> UnsafeMutablePointer<GtkWidget>? = { nil }
    let intrinsicSize: PointSize
    /// The way it fits into the widget; nil for the widget's own way.
    let fit: ContentFit?

    private var form: Form?
    /// The frame of an animation that is drawn instead of the picture's own pixels.
    private var frame: Bitmap?
    /// The content in place of a released picture, and the geometry of the view.
    private var standIn: (content: StillContent, viewport: () -> Viewport?)?

    private enum Form {
        case texture(Texture)
        /// For a picture larger than the texture limits of renderers.
        case tiles(TextureSlices)
        /// For an icon, with its pixels for the time when no widget shows it.
        case icon(NamedIcon, Texture)

        init(_ image: Image, replacing former: Form? = nil) {
            guard let icon = image.icon else {
                self.init(image.bitmap.displayable, replacing: former)
                return
            }
            self = .icon(icon, Texture(image.bitmap.displayable))
        }

        init(_ bitmap: Bitmap, replacing former: Form? = nil) {
            self =
                TileGrid.isNeeded(for: bitmap.size)
                ? .tiles(TextureSlices(bitmap)) : .texture(Texture(bitmap, replacing: former?.texture))
        }

        var texture: Texture? { if case .texture(let texture) = self { texture } else { nil } }

        var isTiled: Bool { if case .tiles = self { true } else { false } }
    }

    /// - Parameters:
    ///   - size: The picture's layout size, in points; nil for that of its pixels.
    ///   - fit: The way it fits into the widget; nil for the widget's own way.
    ///   - former: What was drawn before: where a part of a picture has come, GTK draws only what is new.
    init(_ image: Image, size: PointSize? = nil, fit: ContentFit? = nil, replacing former: StillContent? = nil) {
        self.image = image
        self.fit = fit
        let form = Form(image, replacing: former?.form)
        self.form = form
        isImmutable = !form.isTiled && image.animation == nil
        intrinsicSize = size ?? image.pixelSize.points(at: image.scale)
    }

    /// Whether only visible tiles are drawn, so that scrolling needs a redraw.
    var isTiled: Bool { form?.isTiled ?? false }

    /// A widget asks when it gets the paintable. What may change stays so when its picture is released, so that no widget
    /// needs another paintable.
    private(set) var isImmutable: Bool

    var aspectRatio: Double { fit == nil ? intrinsicSize.aspectRatio : 0 }

    /// The picture for one transition, whose end releases what was made for it alone; nil after the picture was
    /// released.
    var transitionPicture: TransitionPicture? {
        guard let bitmap else { return nil }
        return switch form {
        case .texture(let texture): TransitionPicture(bitmap, texture: texture)
        case .icon(let icon, _):
            TransitionPicture(iconWidget().flatMap { icon.bitmap(size: intrinsicSize, like: $0) } ?? bitmap)
        case .tiles, nil: TransitionPicture(bitmap)
        }
    }

    /// The pixels that are drawn: a frame, or the picture's own; nil after it was released.
    var bitmap: Bitmap? { image.map { frame ?? $0.bitmap } }

    /// Draws a frame of the picture's animation instead of its own pixels.
    ///
    /// - Parameter texture: That of the frame; nil to make one, for which colours that GTK does not know are converted
    ///   here.
    func show(_ frame: Bitmap, as texture: Texture?) {
        guard image != nil else { return }
        self.frame = frame
        form = texture.map { .texture($0) } ?? Form(frame.displayable, replacing: form)
    }

    /// The texture of content that is drawn as one; nil for other content.
    var texture: Texture? { form?.texture }

    /// Draws another picture, or nothing, in place of a released one: in the whole view, where that would be drawn.
    func standIn(_ content: StillContent?, viewport: @escaping () -> Viewport?) {
        if image == nil { standIn = content.map { ($0, viewport) } }
    }

    private func setForm(of image: Image?) {
        (frame, standIn) = (nil, nil)
        form = image.map { Form($0) }
        isImmutable = isImmutable && !isTiled && image?.animation == nil
    }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let room = PointSize(width: width, height: height)
        let snapshot = Snapshot(pointer: snapshot)
        if let standIn { return draw(standIn.content, in: standIn.viewport(), drawnAs: room, into: snapshot) }
        let whole = PointRect(x: 0, y: 0, width: width, height: height)
        draw(in: fit.map { $0.frame(of: intrinsicSize, in: room) } ?? whole, into: snapshot)
        if form != nil { drawn(room) }
    }

    private func draw(_ other: StillContent, in viewport: Viewport?, drawnAs room: PointSize, into snapshot: Snapshot) {
        let view = viewport.flatMap { $0.size.isEmpty ? nil : $0 } ?? Viewport(size: room, fit: .contain)
        let whole = PointRect(x: 0, y: 0, width: view.size.width, height: view.size.height)
        let own = fit == nil ? view.fit.frame(of: intrinsicSize, in: view.size) : whole
        snapshot.fitted(from: own, to: room) {
            other.draw(in: (other.fit ?? view.fit).frame(of: other.intrinsicSize, in: view.size), into: snapshot)
        }
    }

    private func draw(in frame: PointRect, into snapshot: Snapshot) {
        switch form {
        case .texture(let texture): snapshot.draw(texture, in: frame)
        case .tiles(let slices): draw(slices, in: frame, into: snapshot)
        case .icon(let icon, let texture):
            if let widget = iconWidget() {
                icon.draw(snapshot.pointer, in: frame, like: widget)
            } else {
                snapshot.draw(texture, in: frame)
            }
        case nil: break
        }
    }

    func frozen() -> any PaintableContent {
        guard let image, image.animation != nil else { return self }
        let current = Image(bitmap: bitmap ?? image.bitmap, scale: image.scale)
        return StillContent(current, size: intrinsicSize, fit: fit)
    }

    private func draw(_ slices: TextureSlices, in frame: PointRect, into snapshot: Snapshot) {
        let size = slices.bitmap.size
        let toPixels = RectMap(frame, to: PixelRect(size).points)
        let toFrame = RectMap(toPixels.target, to: frame)
        let visible = visibleArea()?.part(ofContent: intrinsicSize, drawnIn: frame)
        slices.beginFrame()
        for tile in TileGrid(size: size).tiles(in: visible.map { toPixels($0) }) {
            // Whole points are device pixels at every scale.
            let place = toFrame.place(of: tile, in: PixelRect(size), scale: 1)
            guard !place.size.isEmpty, let texture = slices.texture(of: tile) else { continue }
            snapshot.draw(texture, in: place)
        }
    }
}
