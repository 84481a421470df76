import CGtk4
import WebImage

/// What a ``PaintableHandle`` draws. It must not hold the handle: the handle holds it.
protocol PaintableContent: AnyObject {
    /// The size at which the content is drawn pixel for pixel, in a widget's units; zero for no size of its own.
    var intrinsicSize: PointSize { get }
    /// True when neither size nor pixels ever change, so that GTK may keep what was drawn.
    var isImmutable: Bool { get }
    /// Draws into a `GtkSnapshot`, from (0, 0) to (`width`, `height`).
    func draw(_ snapshot: OpaquePointer, width: Double, height: Double)
    /// What is drawn now, as content that is immutable.
    func frozen() -> any PaintableContent
}
