import CGtk4
import WebImage

/// The CSS classes that report the status of a widget's loads to the app's style sheet.
///
/// ```css
/// picture.webimage-loading { background: alpha(currentColor, 0.1); }
/// ```
enum StatusClass {
    /// The class of a status; nil for a widget without a load.
    static func name(of status: ViewLoadStatus) -> String? {
        switch status {
        case .idle: nil
        case .loading: "webimage-loading"
        case .loaded: "webimage-loaded"
        case .failed: "webimage-failed"
        }
    }

    /// Sets the class of `status` on `widget` and removes the other ones.
    static func set(_ status: ViewLoadStatus, on widget: UnsafeMutablePointer<GtkWidget>) {
        for other in ViewLoadStatus.allCases where other != status {
            if let name = name(of: other) { gtk_widget_remove_css_class(widget, name) }
        }
        if let name = name(of: status) { gtk_widget_add_css_class(widget, name) }
    }
}
