import CGtk4
import WebImage

/// Animations by the frames of a widget. Where no frame is to be expected, and where the desktop asks for less motion,
/// they end at once.
final class FrameAnimator: PageAnimator {
    private let widget: UnsafeMutablePointer<GtkWidget>

    init(_ widget: UnsafeMutablePointer<GtkWidget>) { self.widget = widget }

    func start(
        _ duration: Double, _ timing: TimingFunction, step: @escaping (Double) -> Void, ended: @escaping () -> Void
    ) -> (any PageAnimation)? {
        guard gtk_widget_get_mapped(widget) != 0, widget.allowsAnimations, !widget.isMinimized else {
            step(1)
            ended()
            return nil
        }
        return FrameAnimation(
            on: widget, timeline: AnimationTimeline(duration: duration, timing: timing), time: FrameAnimation.frameTime,
            step: step,
            ended: {
                step(1)
                ended()
            })
    }
}
