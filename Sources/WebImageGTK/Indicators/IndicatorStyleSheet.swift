import CGtk4

/// The colours of the built-in indicators. An app's own style sheets override them through the classes
/// `webimage-indicator` and `automatic`, `gray` or `white`.
enum IndicatorStyleSheet {
    /// Loads the sheet on each display that shows `widget`.
    static func serve(_ widget: UnsafeMutablePointer<GtkWidget>) { sheet.serve(widget) }

    private static let sheet = DisplayStyleSheet(
        "webimage-indicator-style", css: css, priority: GTK_STYLE_PROVIDER_PRIORITY_SETTINGS)

    /// GTK's OpenGL renderer draws the shadow of a rotating icon in the wrong place, so the spinner has a disc behind
    /// it.
    private static let css = """
        .webimage-indicator.gray { color: rgb(128, 128, 128); }
        .webimage-indicator.white { color: white; }
        spinner.webimage-indicator {
            border-radius: 9999px;
            background-color: alpha(@theme_bg_color, 0.7);
        }
        spinner.webimage-indicator.gray {
            background-color: alpha(white, 0.7);
        }
        spinner.webimage-indicator.white {
            background-color: alpha(black, 0.35);
        }
        progressbar.webimage-indicator > trough {
            min-width: 0;
            background-color: alpha(black, 0.35);
            border-color: alpha(white, 0.5);
        }
        """
}
