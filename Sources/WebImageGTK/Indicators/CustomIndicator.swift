import CGtk4

/// A widget of the app's own over the view while a picture is being loaded.
public final class CustomIndicator: WebImageIndicator {
    private let widget: IndicatorWidget
    private let progress: ((Double) -> Void)?

    /// - Parameters:
    ///   - view: A widget without a parent. Visible while a picture is being loaded.
    ///   - progress: Gets 0 to 1 on the main thread as bytes arrive.
    public init(_ view: UnsafeMutablePointer<GtkWidget>, progress: ((Double) -> Void)? = nil) {
        widget = IndicatorWidget(view)
        self.progress = progress
        widget.isVisible = false
    }

    /// The app's widget.
    public var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    /// Shows the widget.
    public func startAnimating() { widget.isVisible = true }

    /// Hides the widget.
    public func stopAnimating() { widget.isVisible = false }

    /// Calls the app's `progress` closure.
    public func updateProgress(_ progress: Double) { self.progress?(progress) }
}
