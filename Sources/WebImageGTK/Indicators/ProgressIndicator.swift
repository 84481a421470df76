import CGtk4

/// A `GtkProgressBar` over the view while a picture is being loaded.
///
/// Before the first bytes arrive, and while the total is unknown, the bar pulses; it stays empty where the desktop
/// turns animations off.
public final class ProgressIndicator: WebImageIndicator {
    /// Microseconds from one pulse to the next.
    private static let pulseInterval: Int64 = 100_000

    private let widget: IndicatorWidget
    private let pulse: FrameTicker

    /// A bar that is invisible until a load starts.
    /// - Parameters:
    ///   - width: Points, 1 at least, 150 by default; the view's width is the maximum. nil is as wide as the view.
    ///   - label: The text for assistive technologies.
    public init(width: Int? = 150, label: String = "Loading") {
        widget = IndicatorWidget(gtk_progress_bar_get_type(), label: label)
        let bar = widget.pointer
        pulse = FrameTicker(on: bar, every: Self.pulseInterval) { _ in gtk_progress_bar_pulse(OpaquePointer(bar)) }
        gtk_widget_set_hexpand(bar, 1)
        if let width { bar.indicatorWidthLimit = Int32(clamping: max(1, width)) }
    }

    /// 150 points wide, or as wide as the view where that is narrower.
    public static var `default`: ProgressIndicator { ProgressIndicator() }
    /// As wide as the view.
    public static var bar: ProgressIndicator { ProgressIndicator(width: nil) }

    /// The `GtkProgressBar`.
    public var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    /// Shows an empty bar that pulses.
    public func startAnimating() {
        show(0)
        pulse.isRunning = true
        widget.isVisible = true
    }

    /// Fills the bar and hides it.
    public func stopAnimating() {
        pulse.isRunning = false
        show(1)
        widget.isVisible = false
    }

    /// Fills the bar by `progress`; it pulses at 0.
    public func updateProgress(_ progress: Double) {
        pulse.isRunning = progress <= 0 && widget.isVisible
        show(progress)
    }

    /// Setting the fraction to 0 again would end the pulse.
    private func show(_ fraction: Double) {
        guard !pulse.isRunning else { return }
        gtk_progress_bar_set_fraction(OpaquePointer(indicatorView), fraction)
    }
}
