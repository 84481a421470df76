import CGtk4
import WebImage

/// One of the pictures of a ``PaintableSwitch``.
struct SwitchTarget: PaintableTarget {
    /// The app's own widget, which lives as long as the loads; what shows the pictures may be a part of it, and come and go.
    let widget: UnsafeMutablePointer<GtkWidget>
    let key: PaintableSwitch.Key
    /// Weakly: the pictures that it holds may draw themselves by this.
    weak var pictures: PaintableSwitch?

    var paintable: OpaquePointer? {
        get { pictures?.paintable(for: key) }
        nonmutating set { pictures?.setPaintable(newValue, for: key) }
    }

    var contentFit: ContentFit { pictures?.target?.contentFit ?? .contain }

    var viewport: Viewport {
        pictures?.target?.viewport ?? Viewport(size: PointSize(width: 0, height: 0), fit: contentFit)
    }

    /// A picture for a state that the widget is not in changes at once.
    var isMapped: Bool { pictures?.isShown(key) == true && pictures?.target?.isMapped == true }
}
