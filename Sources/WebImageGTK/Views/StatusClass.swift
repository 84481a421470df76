import CGtk4
import WebImage

/// The CSS classes that say of a widget what its loads do, for the app's style sheet.
///
/// ```css
/// picture.webimage-loading { background: alpha(currentColor, 0.1); }
/// ```
enum StatusClass {
    /// The class of a status; none for a widget whose loads do nothing.
    static func name(of status: ViewLoadStatus) -> String? {
        switch status {
        case .idle: nil
        case .loading: "webimage-loading"
        case .loaded: "webimage-loaded"
        case .failed: "webimage-failed"
        }
    }

    /// Gives `widget` the class of `status`, and takes the others away.
    static func set(_ status: ViewLoadStatus, on widget: UnsafeMutablePointer<GtkWidget>) {
        for other in ViewLoadStatus.allCases where other != status {
            if let name = name(of: other) { gtk_widget_remove_css_class(widget, name) }
        }
        if let name = name(of: status) { gtk_widget_add_css_class(widget, name) }
    }
}
