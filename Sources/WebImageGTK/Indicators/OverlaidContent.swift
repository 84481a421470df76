import CGtk4
import WebImage

/// What a widget shows, and an indicator drawn over it: `GtkPicture` and its like draw a paintable and no children.
///
/// Everyone but the widget goes on seeing the paintable within: see ``uncovered(_:)``.
final class OverlaidContent: PaintableContent {
    /// What the widget shows without the indicator; nil for nothing.
    let inner: PaintableHandle?

    private let drawIndicator: (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    private static let key = "webimage-overlaid"

    private init(
        _ inner: PaintableHandle?,
        drawIndicator: @escaping (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    ) {
        self.inner = inner
        self.drawIndicator = drawIndicator
    }

    /// A paintable that draws `inner`, and then what `drawIndicator` draws, from the corner of `inner`.
    static func handle(
        _ inner: PaintableHandle?,
        drawIndicator: @escaping (_ snapshot: OpaquePointer, _ contentSize: PointSize) -> Void
    ) -> PaintableHandle {
        let content = OverlaidContent(inner, drawIndicator: drawIndicator)
        let handle = PaintableHandle(content)
        let object = UnsafeMutableRawPointer(handle.pointer).assumingMemoryBound(to: GObject.self)
        // The paintable owns its content.
        g_object_set_data(object, key, Unmanaged.passUnretained(content).toOpaque())
        return handle
    }

    /// What lies under the indicator, where `paintable` is one of these; else `paintable` itself.
    static func uncovered(_ paintable: OpaquePointer?) -> OpaquePointer? {
        guard let paintable else { return nil }
        let object = UnsafeMutableRawPointer(paintable).assumingMemoryBound(to: GObject.self)
        guard let content = g_object_get_data(object, key) else { return paintable }
        return Unmanaged<OverlaidContent>.fromOpaque(content).takeUnretainedValue().inner?.pointer
    }

    var intrinsicSize: PointSize { inner?.intrinsicSize ?? PointSize(width: 0, height: 0) }

    let isImmutable = false

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        if let inner { gdk_paintable_snapshot(inner.pointer, snapshot, width, height) }
        drawIndicator(snapshot, intrinsicSize)
    }

    /// Without the indicator, which is no part of the picture.
    func frozen() -> any PaintableContent {
        OverlaidContent(inner.map { PaintableHandle(currentImageOf: $0.pointer) }) { _, _ in }
    }
}
