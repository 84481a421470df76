import CGtk4
import WebImage

/// The content of a ``PaintableHandle``. It must not retain the handle, which retains it.
protocol PaintableContent: AnyObject {
    /// The size in points at which the content is drawn pixel for pixel; zero for no intrinsic size.
    var intrinsicSize: PointSize { get }
    /// The proportions that the widget keeps; 0 for content that gets all of the widget's room and fits itself into it.
    var aspectRatio: Double { get }
    /// Whether size and pixels never change, so that GTK may cache what was drawn.
    var isImmutable: Bool { get }
    /// Draws into a `GtkSnapshot`, from (0, 0) to (`width`, `height`).
    func draw(_ snapshot: OpaquePointer, width: Double, height: Double)
    /// The current content, as content that is immutable.
    func frozen() -> any PaintableContent
}

extension PaintableContent {
    var aspectRatio: Double { intrinsicSize.aspectRatio }
}

extension PointSize {
    /// Width by height in whole points, as GTK's layout has it; 0 for an empty size.
    var aspectRatio: Double {
        let (width, height) = (width.rounded(), height.rounded())
        return width > 0 && height > 0 ? width / height : 0
    }
}
