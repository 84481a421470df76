import CGtk4

/// Calls back while a widget is on the screen and animated, again and again until it is told to stop.
///
/// The widget owns the callback and lets go of it when it goes away.
final class FrameTicker {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let interval: Int64
    private let step: (Int64) -> Void
    private var last: Int64 = 0
    private var ticks: FrameTicks?

    /// - Parameters:
    ///   - interval: Microseconds from call to call; 0 for each frame.
    ///   - step: Gets the frame's time in microseconds. It must not hold who holds the ticker.
    init(on widget: UnsafeMutablePointer<GtkWidget>, every interval: Int64 = 0, step: @escaping (Int64) -> Void) {
        self.widget = widget
        self.interval = interval
        self.step = step
        // Frame clocks go on ticking for hidden widgets.
        for signal in ["map", "unmap"] {
            connect(UnsafeMutableRawPointer(widget), signal) { [weak self] in self?.update() }
        }
    }

    /// Whether to call back; it does so only while the widget can be seen and the desktop wants things to move.
    var isRunning = false {
        didSet { update() }
    }

    /// Whether frames are being counted.
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
