import CGtk4
import WebImage

/// A place of a widget that only the app knows how to fill: there are never any paintables, but transitions run, so that
/// the app can animate what it does by their frames.
struct AppFilledTarget: PaintableTarget {
    let widget: UnsafeMutablePointer<GtkWidget>

    var paintable: OpaquePointer? {
        get { nil }
        nonmutating set {}
    }

    let contentFit = ContentFit.fill
}
