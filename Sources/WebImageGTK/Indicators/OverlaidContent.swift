import CGtk4
import WebImage

/// The widget's content with an indicator drawn over it: `GtkPicture` and its like draw a paintable and no children.
///
/// The rest of the library sees the inner paintable: see ``uncovered(_:)``.
final class OverlaidContent: PaintableContent {
    /// The content of the widget without the indicator; nil for nothing.
    let inner: PaintableHandle?

    private let drawBlank: (_ snapshot: OpaquePointer, _ width: Double, _ height: Double) -> Void
    private let drawIndicator: (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    private static let key = "webimage-overlaid"

    private init(
        _ inner: PaintableHandle?,
        drawBlank: @escaping (_ snapshot: OpaquePointer, _ width: Double, _ height: Double) -> Void,
        drawIndicator: @escaping (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    ) {
        self.inner = inner
        self.drawBlank = drawBlank
        self.drawIndicator = drawIndicator
    }

    /// A paintable that draws `inner`, and then calls `drawIndicator` at the origin of `inner`.
    ///
    /// - Parameter drawBlank: Draws the widget's content where there is no `inner`.
    static func handle(
        _ inner: PaintableHandle?,
        drawBlank: @escaping (_ snapshot: OpaquePointer, _ width: Double, _ height: Double) -> Void,
        drawIndicator: @escaping (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    ) -> PaintableHandle {
        let content = OverlaidContent(inner, drawBlank: drawBlank, drawIndicator: drawIndicator)
        let handle = PaintableHandle(content)
        let object: UnsafeMutablePointer<GObject> = cast(handle.pointer)
        // The paintable owns its content.
        g_object_set_data(object, key, Unmanaged.passUnretained(content).toOpaque())
        return handle
    }

    /// The inner paintable where `paintable` is an overlaid one; else `paintable` itself.
    static func uncovered(_ paintable: OpaquePointer?) -> OpaquePointer? {
        guard let paintable else { return nil }
        let object: UnsafeMutablePointer<GObject> = cast(paintable)
        guard let content = g_object_get_data(object, key) else { return paintable }
        return Unmanaged<OverlaidContent>.fromOpaque(content).takeUnretainedValue().inner?.pointer
    }

    var intrinsicSize: PointSize { inner?.intrinsicSize ?? PointSize(width: 0, height: 0) }

    var aspectRatio: Double { inner?.aspectRatio ?? 0 }

    let isImmutable = false

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        if let inner {
            gdk_paintable_snapshot(inner.pointer, snapshot, width, height)
        } else {
            drawBlank(snapshot, width, height)
        }
        drawIndicator(snapshot, aspectRatio == 0 ? PointSize(width: 0, height: 0) : intrinsicSize)
    }

    /// Without the indicator, which is not part of the picture.
    func frozen() -> any PaintableContent {
        OverlaidContent(
            inner.map { PaintableHandle(currentImageOf: $0.pointer) }, drawBlank: drawBlank,
            drawIndicator: { _, _ in })
    }
}
