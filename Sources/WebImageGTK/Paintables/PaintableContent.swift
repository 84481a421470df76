import CGtk4
import WebImage

/// The content of a ``PaintableHandle``. It must not retain the handle, which retains it.
protocol PaintableContent: AnyObject {
    /// The size in points at which the content is drawn pixel for pixel; zero for no intrinsic size.
    var intrinsicSize: PointSize { get }
    /// Whether size and pixels never change, so that GTK may cache what was drawn.
    var isImmutable: Bool { get }
    /// Draws into a `GtkSnapshot`, from (0, 0) to (`width`, `height`).
    func draw(_ snapshot: OpaquePointer, width: Double, height: Double)
    /// The current content, as content that is immutable.
    func frozen() -> any PaintableContent
}
