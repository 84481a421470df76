import CGtk4
import WebImage

/// One animation on one widget, driven by the widget's frame clock. Ends by itself, or by ``stop()``.
///
/// GTK owns the running animation and lets go of it when it ends, when it is stopped and when the widget goes away. It
/// ends too when no frame comes for a second: the clock of a window that nobody sees, as one that is minimised, stops
/// without a word, and whoever waits for the end must not wait for the window.
final class FrameAnimation {
    /// The clock's time in microseconds; tests put their own in.
    typealias TimeSource = (_ frameClock: OpaquePointer) -> Int64
    static let frameTime: TimeSource = { Int64(gdk_frame_clock_get_frame_time($0)) }

    private let step: (Double) -> Void
    private let ended: () -> Void
    private var timeline: AnimationTimeline
    private var ticks: FrameTicks?
    private var watch: FrameWatch?

    /// Starts on the next frame of `widget`, which must be realized for time to pass.
    ///
    /// - Parameters:
    ///   - step: Gets the progress of each frame but the last.
    ///   - ended: Called in place of `step` on the last frame; not when the animation is stopped.
    init(
        on widget: UnsafeMutablePointer<GtkWidget>, timeline: AnimationTimeline, time: @escaping TimeSource,
        step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) {
        self.timeline = timeline
        self.step = step
        self.ended = ended
        ticks = FrameTicks(of: widget) { clock in self.tick(at: time(clock)) }
        watch = FrameWatch { [weak self] in self?.end() }
    }

    /// True until the last frame was shown or the animation was stopped.
    var isRunning: Bool { ticks?.isRunning ?? false }

    /// Takes the animation off the frame clock. The widget must still be alive.
    func stop() {
        watch = nil
        ticks?.stop()
        ticks = nil
    }

    /// There are no frames any more.
    private func end() {
        // The widget may be gone, and with it whoever waits for the end.
        guard isRunning else { return watch = nil }
        stop()
        ended()
    }

    /// Whether there are more frames to come.
    private func tick(at time: Int64) -> Bool {
        watch?.noteFrame()
        let frame = timeline.frame(at: time)
        guard frame.isLast else {
            step(frame.progress)
            return isRunning
        }
        stop()
        ended()
        return false
    }
}
