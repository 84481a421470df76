import CGtk4
import WebImage

/// One of the two pictures of a widget that can be highlighted; most have the usual one only, and nothing more to do.
struct HighlightTarget: PaintableTarget {
    let key: PaintableSwitch.Key
    /// The widget without its state.
    let plain: any PaintableTarget

    var widget: UnsafeMutablePointer<GtkWidget> { plain.widget }

    var paintable: OpaquePointer? {
        get {
            guard let pictures = Highlight.find(widget)?.pictures else { return plain.paintable }
            return pictures.paintable(for: key)
        }
        nonmutating set {
            guard let pictures = Highlight.find(widget)?.pictures else { return plain.paintable = newValue }
            pictures.setPaintable(newValue, for: key)
        }
    }

    var contentFit: ContentFit { plain.contentFit }

    var viewport: Viewport { plain.viewport }

    /// A picture that is not the one seen changes at once.
    var isMapped: Bool { plain.isMapped && Highlight.find(widget)?.pictures.isShown(key) != false }
}
