import CGtk4

/// A circle over the view that closes as a picture arrives.
///
/// Before the first bytes arrive, and while the total is unknown, an arc turns once a second. The arc stands still
/// where the desktop turns animations off.
public final class CircularProgressIndicator: WebImageIndicator {
    private let widget: IndicatorWidget
    private let circle: ProgressCircle
    private let turning: FrameTicker

    /// A circle that is invisible until a load starts.
    /// - Parameters:
    ///   - size: Points from side to side, 1 at least; 37 by default.
    ///   - tone: White by default.
    ///   - label: The text for assistive technologies.
    public init(size: Int = 37, tone: IndicatorTone = .white, label: String = "Loading") {
        widget = IndicatorWidget(gtk_drawing_area_get_type(), styleClasses: [tone.styleClass], label: label)
        let area = widget.pointer
        let circle = ProgressCircle(on: area)
        self.circle = circle
        turning = FrameTicker(on: area) { circle.rotation = Double($0 % 1_000_000) / 1_000_000 }
        widget.setSquare(size)
    }

    /// 20 points, white.
    public static var medium: CircularProgressIndicator { CircularProgressIndicator(size: 20) }
    /// 37 points, white.
    public static var large: CircularProgressIndicator { CircularProgressIndicator() }

    /// A `GtkDrawingArea`.
    public var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    /// Shows the circle without progress.
    public func startAnimating() {
        widget.isVisible = true
        updateProgress(0)
    }

    /// Closes the circle and hides it.
    public func stopAnimating() {
        widget.isVisible = false
        updateProgress(1)
    }

    /// Closes the circle by `progress`; at 0 an arc turns.
    public func updateProgress(_ progress: Double) {
        circle.progress = progress
        turning.isRunning = progress <= 0 && widget.isVisible
        widget.pointer.setAccessibleProgress(progress > 0 ? progress : nil)
    }
}
