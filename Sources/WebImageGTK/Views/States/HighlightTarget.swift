import CGtk4
import WebImage

/// One of the two pictures of a widget with a highlight. A widget without one has the usual picture only.
struct HighlightTarget: PaintableTarget {
    let key: PaintableSwitch.Key
    /// The widget's target without highlight.
    let base: any PaintableTarget

    var widget: UnsafeMutablePointer<GtkWidget> { base.widget }

    var paintable: OpaquePointer? {
        get {
            guard let pictures = Highlight.find(widget)?.pictures else { return base.paintable }
            return pictures.paintable(for: key)
        }
        nonmutating set {
            guard let pictures = Highlight.find(widget)?.pictures else { return base.paintable = newValue }
            pictures.setPaintable(newValue, for: key)
        }
    }

    var drawingWidget: UnsafeMutablePointer<GtkWidget> { base.drawingWidget }

    var contentFit: ContentFit { base.contentFit }

    var fixedSize: PointSize? { base.fixedSize }

    var viewport: Viewport { base.viewport }

    /// A picture that is not visible changes without a transition.
    var isMapped: Bool { base.isMapped && Highlight.find(widget)?.pictures.isShown(key) != false }
}
