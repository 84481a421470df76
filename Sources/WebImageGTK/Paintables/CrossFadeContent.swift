import CGtk4
import WebImage

/// The way from what a view showed before to a new picture. Holds no clock: somebody sets ``progress`` and invalidates.
final class CrossFadeContent: PaintableContent {
    /// The view that the fade is seen in.
    struct Viewport {
        var size: PointSize
        var fit: ContentFit
    }

    /// From 0, the old content alone, to 1, the new picture alone.
    var progress: Double = 0

    private let old: PaintableHandle?
    private let new: StillContent
    private let viewport: () -> Viewport?
    let isImmutable: Bool

    /// - Parameter viewport: Asked whenever the fade is drawn. A view lays out old and new each in its own proportions,
    ///   and the old one must stay where it was. Without a viewport, the old content is stretched to the new one's size.
    convenience init(from old: PaintableHandle?, to new: StillContent, viewport: @escaping () -> Viewport? = { nil }) {
        self.init(from: old, to: new, isImmutable: false, viewport: viewport)
    }

    private init(
        from old: PaintableHandle?, to new: StillContent, isImmutable: Bool, viewport: @escaping () -> Viewport?
    ) {
        self.old = old
        self.new = new
        self.isImmutable = isImmutable
        self.viewport = viewport
    }

    var intrinsicSize: PointSize { new.intrinsicSize }

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        let whole = PointRect(x: 0, y: 0, size: PointSize(width: width, height: height))
        let opacity = min(1, max(0, progress))
        guard let old, opacity < 1 else {
            return drawNew(snapshot, in: whole, opacity: opacity)
        }
        let oldFrame = frame(of: old, beside: whole)
        if new.isOpaque && whole.contains(oldFrame) {
            // The same pixels as a cross-fade node's where the new picture covers the old one, and a third cheaper.
            draw(old, snapshot, in: oldFrame)
            drawNew(snapshot, in: whole, opacity: opacity)
        } else {
            gtk_snapshot_push_cross_fade(snapshot, opacity)
            draw(old, snapshot, in: oldFrame)
            gtk_snapshot_pop(snapshot)
            new.draw(snapshot, width: width, height: height)
            gtk_snapshot_pop(snapshot)
        }
    }

    func frozen() -> any PaintableContent {
        let copy = CrossFadeContent(from: old, to: new, isImmutable: true, viewport: viewport)
        copy.progress = progress
        return copy
    }

    private func drawNew(_ snapshot: OpaquePointer, in frame: PointRect, opacity: Double) {
        gtk_snapshot_push_opacity(snapshot, opacity)
        new.draw(snapshot, width: frame.size.width, height: frame.size.height)
        gtk_snapshot_pop(snapshot)
    }

    private func draw(_ paintable: PaintableHandle, _ snapshot: OpaquePointer, in frame: PointRect) {
        gtk_snapshot_save(snapshot)
        var origin = graphene_point_t(x: Float(frame.x), y: Float(frame.y))
        gtk_snapshot_translate(snapshot, &origin)
        gdk_paintable_snapshot(paintable.pointer, snapshot, frame.size.width, frame.size.height)
        gtk_snapshot_restore(snapshot)
    }

    /// Where the old content lies, measured from the corner of the new one.
    private func frame(of old: PaintableHandle, beside new: PointRect) -> PointRect {
        guard let viewport = viewport() else { return new }
        let oldFrame = viewport.fit.frame(of: old.intrinsicSize, in: viewport.size)
        let newFrame = viewport.fit.frame(of: intrinsicSize, in: viewport.size)
        return PointRect(x: oldFrame.x - newFrame.x, y: oldFrame.y - newFrame.y, size: oldFrame.size)
    }
}
