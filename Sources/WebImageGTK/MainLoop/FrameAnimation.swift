import CGtk4
import WebImage

/// One animation of one widget, driven by the widget's frame clock. It ends by itself or by ``stop()``.
///
/// GTK owns the running animation and releases it when it ends, when it is stopped, or when the widget is destroyed.
/// The animation also ends when no frame comes for a second: the frame clock of an invisible window, such as a
/// minimised one, stops without a signal, and the end of an animation must not depend on the window.
final class FrameAnimation {
    /// The frame clock's time in microseconds; tests replace it.
    typealias TimeSource = (_ frameClock: OpaquePointer) -> Int64
    static let frameTime: TimeSource = { Int64(gdk_frame_clock_get_frame_time($0)) }

    private let step: (Double) -> Void
    private let ended: () -> Void
    private var timeline: AnimationTimeline
    private var ticks: FrameTicks?
    private var watch: FrameWatch?

    /// Starts on the next frame of `widget`; time passes only while it is realized.
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

    /// No more frames come.
    private func end() {
        // The widget may be destroyed, and with it the object that owns `ended`.
        guard isRunning else { return watch = nil }
        stop()
        ended()
    }

    /// Advances the animation and returns whether it needs more frames.
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
