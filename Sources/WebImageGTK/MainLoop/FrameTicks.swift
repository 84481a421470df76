import CGtk4

/// The frames of a widget, from the next one on, until `body` returns false. GTK and the widget own this object.
package final class FrameTicks {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let isOwn: Bool
    /// Released at the end: it may retain the owner of this object.
    private var body: ((_ frameClock: OpaquePointer) -> Bool)?
    private var callback: guint = 0

    /// Calls `body` at the beginning of each frame of `widget` until it returns false.
    ///
    /// - Parameter isOwn: Whether its time is that of this library.
    package init(
        of widget: UnsafeMutablePointer<GtkWidget>, isOwn: Bool = true,
        _ body: @escaping (_ frameClock: OpaquePointer) -> Bool
    ) {
        self.widget = widget
        self.isOwn = isOwn
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

    /// Calls `body` once, at the beginning of the next frame of `widget`.
    package static func next(
        of widget: UnsafeMutablePointer<GtkWidget>, isOwn: Bool = true, _ body: @escaping () -> Void
    ) {
        _ = FrameTicks(of: widget, isOwn: isOwn) { _ in
            body()
            return false
        }
    }

    /// Whether more frames come. False when the widget is destroyed, too.
    var isRunning: Bool { callback != 0 }

    /// Removes the frame callback. The widget must be alive.
    package func stop() {
        guard isRunning else { return }
        let removed = callback
        forget()
        gtk_widget_remove_tick_callback(widget, removed)
    }

    /// GTK has removed the callback, or removes it now: the widget may be destroyed.
    private func forget() {
        callback = 0
        body = nil
    }

    private func tick(_ clock: OpaquePointer) -> Bool {
        guard let body else { return false }
        let goesOn = isOwn ? MainThreadTime.measure { body(clock) } : body(clock)
        // GTK removes the callback after false, unless `body` has stopped it already.
        if !goesOn { forget() }
        return goesOn
    }
}
