import CGtk4

/// The colours of the built-in indicators. Weaker than an app's own style sheets, which may change them by the classes
/// `webimage-indicator` and `automatic`, `gray` or `white`.
enum IndicatorStyleSheet {
    /// Loads the sheet wherever `widget` is shown.
    static func serve(_ widget: UnsafeMutablePointer<GtkWidget>) { sheet.serve(widget) }

    private static let sheet = DisplayStyleSheet(
        "webimage-indicator-style", css: css, priority: GTK_STYLE_PROVIDER_PRIORITY_SETTINGS)

    /// Shadows of turning icons are drawn beside them by GTK's OpenGL renderer: hence a disc under the spinner.
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
