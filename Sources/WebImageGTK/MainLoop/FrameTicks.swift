import CGtk4

/// A widget's frames, from the next one on, until somebody has seen enough. GTK owns them together with the widget.
final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    /// Let go at the end: it may hold whoever holds this object.
    private var body: ((_ frameClock: OpaquePointer) -> Bool)?
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
                Unmanaged<FrameTicks>.fromOpaque(data).takeRetainedValue().forget()
            })
    }

    /// Whether there are frames to come. False when the widget is gone, too.
    var isRunning: Bool { callback != 0 }

    /// Looks at no more frames. The widget must still be alive.
    func stop() {
        guard isRunning else { return }
        let removed = callback
        forget()
        gtk_widget_remove_tick_callback(widget, removed)
    }

    /// GTK has let go of it, or will: the widget may be gone.
    private func forget() {
        callback = 0
        body = nil
    }

    private func tick(_ clock: OpaquePointer) -> Bool {
        guard let body else { return false }
        let goesOn = MainThreadTime.measure { body(clock) }
        // Removed by returning false, unless it was stopped meanwhile.
        if !goesOn { forget() }
        return goesOn
    }
}
