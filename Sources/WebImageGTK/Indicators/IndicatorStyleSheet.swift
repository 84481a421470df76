import CGtk4

/// The colours of the built-in indicators. Weaker than an app's own style sheets, which may change them by the classes
/// `webimage-indicator` and `automatic`, `gray` or `white`.
enum IndicatorStyleSheet {
    private static var installedDisplay: OpaquePointer?

    /// Loads the sheet for the display that `widget` is on, unless that was done.
    static func install(for widget: UnsafeMutablePointer<GtkWidget>) {
        guard let display = gtk_widget_get_display(widget), display != installedDisplay else { return }
        installedDisplay = display
        guard let provider = gtk_css_provider_new() else { return }
        gtk_css_provider_load_from_data(provider, css, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_SETTINGS))
        g_object_unref(provider)
    }

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
