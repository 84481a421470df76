import CGtk4

/// A widget's frames, from the next one on, until somebody has seen enough. GTK owns them together with the widget.
final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let body: (_ frameClock: OpaquePointer) -> Bool
    private var callback: guint = 0

    /// Calls `body` at the beginning of each frame of `widget` until it returns false.
    init(of widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping (_ frameClock: OpaquePointer) -> Bool) {
        self.widget = widget
        self.body = body
        callback = gtk_widget_add_tick_callback(
            widget,
            { _, clock, data in
                guard let clock, let data else { return 0 }
                return Unmanaged<FrameTicks>.fromOpaque(data).takeUnretainedValue().tick(clock) ? 1 : 0
            },
            Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<FrameTicks>.fromOpaque(data).release()
            })
    }

    /// Looks at no more frames. The widget must still be alive.
    func stop() {
        guard callback != 0 else { return }
        let removed = callback
        callback = 0
        gtk_widget_remove_tick_callback(widget, removed)
    }

    private func tick(_ clock: OpaquePointer) -> Bool {
        guard callback != 0 else { return false }
        let goesOn = MainThreadTime.measure { body(clock) }
        // Removed by returning false, unless it was stopped meanwhile.
        if !goesOn { callback = 0 }
        return goesOn
    }
}
