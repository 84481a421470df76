import CGtk4
import WebImage

/// Reports, as long as it lives, what may bring a mapped widget into sight or out of it.
final class PlaybackWatch {
    private let connections: [SignalConnection]
    private let scrolling: ScrollWatch?
    private let cover: CoverWatch

    init(_ widget: UnsafeMutablePointer<GtkWidget>, changed: @escaping () -> Void) {
        var connections = [SignalConnection(widget, "notify::opacity", changed)]
        if let settings = gtk_widget_get_settings(widget) {
            connections.append(
                SignalConnection(UnsafeMutableRawPointer(settings), "notify::gtk-enable-animations", changed))
        }
        if let native = gtk_widget_get_native(widget), let surface = gtk_native_get_surface(native),
            UnsafeMutableRawPointer(surface).isInstance(of: gdk_toplevel_get_type())
        {
            connections.append(SignalConnection(UnsafeMutableRawPointer(surface), "notify::state", changed))
        }
        for adjustment in widget.scrollers.flatMap(\.scrollAdjustments) {
            connections.append(SignalConnection(adjustment, "changed", changed))
        }
        self.connections = connections
        cover = CoverWatch(changed)
        scrolling = ScrollWatch(widget, moved: changed)
    }
}
