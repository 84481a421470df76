import CGtk4
import WebImage

/// A place of a widget that only the app can fill: it never has a paintable. Transitions run all the same, so that the
/// app can animate in their frames.
struct AppFilledTarget: PaintableTarget {
    let widget: UnsafeMutablePointer<GtkWidget>

    var paintable: OpaquePointer? {
        get { nil }
        nonmutating set {}
    }

    let contentFit = ContentFit.fill
}
