import CGtk4

/// A `GtkSpinner` over the view while a picture is being loaded.
///
/// The theme animates it. It stands still where the desktop turns animations off.
public final class ActivityIndicator: WebImageIndicator {
    private let widget: IndicatorWidget

    /// A spinner that is invisible until a load starts.
    /// - Parameters:
    ///   - size: Points from side to side, 1 at least; 20 by default.
    ///   - tone: The text's colour by default.
    ///   - label: The text for assistive technologies.
    public init(size: Int = 20, tone: IndicatorTone = .automatic, label: String = "Loading") {
        widget = IndicatorWidget(gtk_spinner_get_type(), styleClasses: [tone.styleClass], label: label)
        widget.setSquare(size)
    }

    /// The `GtkSpinner`.
    public var indicatorView: UnsafeMutablePointer<GtkWidget> { widget.pointer }

    /// Shows the spinner and lets it turn.
    public func startAnimating() {
        gtk_spinner_start(OpaquePointer(indicatorView))
        widget.isVisible = true
    }

    /// Hides the spinner.
    public func stopAnimating() {
        widget.isVisible = false
        gtk_spinner_stop(OpaquePointer(indicatorView))
    }
}

/// The usual spinners. Each use makes a new one.
extension ActivityIndicator {
    /// 20 points, gray.
    public static var gray: ActivityIndicator { ActivityIndicator(tone: .gray) }
    /// 37 points, gray.
    public static var grayLarge: ActivityIndicator { ActivityIndicator(size: 37, tone: .gray) }
    /// 20 points, white.
    public static var white: ActivityIndicator { ActivityIndicator(tone: .white) }
    /// 37 points, white.
    public static var whiteLarge: ActivityIndicator { ActivityIndicator(size: 37, tone: .white) }
    /// 20 points, in the text's colour.
    public static var medium: ActivityIndicator { ActivityIndicator() }
    /// 37 points, in the text's colour.
    public static var large: ActivityIndicator { ActivityIndicator(size: 37) }
}
