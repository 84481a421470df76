import CGtk4
import WebImage

/// One of the pictures of a ``PaintableSwitch``.
struct SwitchTarget: PaintableTarget {
    /// The app's widget, which lives as long as the loads. The widget that shows the pictures may be a part of it that
    /// comes and goes.
    let widget: UnsafeMutablePointer<GtkWidget>
    let key: PaintableSwitch.Key
    /// Weak, because the pictures in it may draw through this target.
    weak var pictures: PaintableSwitch?

    var paintable: OpaquePointer? {
        get { pictures?.paintable(for: key) }
        nonmutating set { pictures?.setPaintable(newValue, for: key) }
    }

    var drawingWidget: UnsafeMutablePointer<GtkWidget> { pictures?.target?.drawingWidget ?? widget }

    var contentFit: ContentFit { pictures?.target?.contentFit ?? .contain }

    var fixedSize: PointSize? { pictures?.target?.fixedSize }

    var viewport: Viewport {
        pictures?.target?.viewport ?? Viewport(size: PointSize(width: 0, height: 0), fit: contentFit)
    }

    /// A picture for another state changes without a transition.
    var isMapped: Bool { pictures?.isShown(key) == true && pictures?.target?.isMapped == true }
}
