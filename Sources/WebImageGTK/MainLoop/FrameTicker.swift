import CGtk4

/// Calls back repeatedly while a widget is mapped and the ticker runs.
///
/// The widget owns the callback and releases it when it is destroyed.
final class FrameTicker {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let interval: Int64
    private let step: (Int64) -> Void
    private var last: Int64 = 0
    private var ticks: FrameTicks?

    /// - Parameters:
    ///   - interval: Microseconds between calls; 0 for each frame.
    ///   - step: Gets the frame's time in microseconds. It must not retain the owner of the ticker.
    init(on widget: UnsafeMutablePointer<GtkWidget>, every interval: Int64 = 0, step: @escaping (Int64) -> Void) {
        self.widget = widget
        self.interval = interval
        self.step = step
        // Frame clocks tick for hidden widgets, too.
        for signal in ["map", "unmap"] {
            connect(UnsafeMutableRawPointer(widget), signal) { [weak self] in self?.update() }
        }
    }

    /// Whether to call back. Calls happen only while the widget is mapped and the desktop allows animations.
    var isRunning = false {
        didSet { update() }
    }

    /// Whether a frame callback is installed.
    var isTicking: Bool { ticks?.isRunning ?? false }

    private func update() {
        let ticks = isRunning && gtk_widget_get_mapped(widget) != 0 && widget.allowsAnimations
        guard ticks != isTicking else { return }
        ticks ? start() : stop()
    }

    private func start() {
        ticks = FrameTicks(of: widget) { clock in
            self.tick(at: Int64(gdk_frame_clock_get_frame_time(clock)))
            return true
        }
    }

    private func stop() {
        ticks?.stop()
        ticks = nil
    }

    private func tick(at time: Int64) {
        guard time - last >= interval else { return }
        last = time
        step(time)
    }
}
