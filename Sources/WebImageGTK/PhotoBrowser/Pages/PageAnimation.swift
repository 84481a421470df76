import CGtk4
import WebImage

/// A running animation of a browser.
protocol PageAnimation: AnyObject {
    /// Stops it where it is; it does not end then.
    func stop()
}

extension FrameAnimation: PageAnimation {}

/// Starts the animations of a browser; tests have one whose time they set.
protocol PageAnimator: AnyObject {
    /// - Parameters:
    ///   - duration: In seconds.
    ///   - step: Gets the progress of each frame; 1 with the last one.
    ///   - ended: Called after the last frame.
    /// - Returns: nil where it has ended at once.
    func start(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) -> (any PageAnimation)?
}

/// Animations by the frames of a widget. Where no frame is to be expected, and where the desktop asks for less motion,
/// they end at once.
final class FrameAnimator: PageAnimator {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let time: FrameAnimation.TimeSource

    /// - Parameter time: Tests replace it.
    init(
        _ widget: UnsafeMutablePointer<GtkWidget>, time: @escaping FrameAnimation.TimeSource = FrameAnimation.frameTime
    ) {
        self.widget = widget
        self.time = time
    }

    func start(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) -> (any PageAnimation)? {
        guard gtk_widget_get_mapped(widget) != 0, widget.allowsAnimations, !widget.isMinimized else {
            step(1)
            ended()
            return nil
        }
        return FrameAnimation(
            on: widget, timeline: AnimationTimeline(duration: duration, timing: timing), time: time,
            step: step,
            ended: {
                step(1)
                ended()
            })
    }
}
