import CGtk4
import WebImage

/// The looks of a browser's controls. An app's own style sheets override them through the class `photo-browser`.
enum BrowserStyleSheet {
    static func serve(_ widget: UnsafeMutablePointer<GtkWidget>) {
        sheet.serve(widget)
        geometry.serve(widget)
    }

    private static let sheet = DisplayStyleSheet(
        "webimage-browser-style", css: css, priority: GTK_STYLE_PROVIDER_PRIORITY_SETTINGS)

    /// The measures by which the columns of the grid are computed: a rule for all grid views of an app must not change
    /// them.
    private static let geometry = DisplayStyleSheet(
        "webimage-browser-geometry",
        css: """
            .photo-browser .grid gridview { margin: 0; border: none; padding: 48px 0 0 0; border-spacing: 0; }
            .photo-browser .grid gridview > child { margin: 0; border: none; padding: 1px; }
            """, priority: GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1)

    private static var css: String {
        let milliseconds = Int(ControlsVisibility.fadeDuration * 1000)
        let slide = Int(ControlsVisibility.slide)
        return """
            .photo-browser { color: white; }
            .photo-browser .bar {
                padding: 6px; border-spacing: 6px; background-color: rgba(0, 0, 0, 0.5);
                transition: opacity \(milliseconds)ms, transform \(milliseconds)ms;
            }
            .photo-browser .bar.top.away { opacity: 0; transform: translateY(-\(slide)px); }
            .photo-browser .bar.bottom.away { opacity: 0; transform: translateY(\(slide)px); }
            .photo-browser .caption { padding: 10px; font-size: 17px; color: white; }
            .photo-browser .bar button {
                background: none; border: none; box-shadow: none; color: white; min-width: 32px; min-height: 32px;
                outline-color: white;
            }
            .photo-browser .bar button:hover { background-color: rgba(255, 255, 255, 0.15); }
            .photo-browser .bar button:disabled { opacity: 0.4; }
            .photo-browser .bar popover contents { color: @theme_fg_color; }
            .photo-browser .bar popover button { color: @theme_fg_color; font-weight: normal; }
            .photo-browser .title { font-weight: bold; color: white; }
            .photo-browser .trouble { color: white; border-spacing: 12px; }
            .photo-browser .play {
                min-width: 64px; min-height: 64px; border-radius: 32px; border: none; box-shadow: none; color: white;
                background: rgba(0, 0, 0, 0.55);
            }
            .photo-browser .notice {
                padding: 12px 18px; border-radius: 12px; color: white; background: rgba(0, 0, 0, 0.7);
            }
            .photo-browser .grid { background-color: rgb(31, 31, 31); }
            .photo-browser .grid gridview { background: transparent; }
            .photo-browser .grid gridview > child { background: transparent; }
            .photo-browser .grid gridview > child:active picture { opacity: 0.6; }
            .photo-browser .tick { margin: 4px; color: white; background: rgba(0, 0, 0, 0.5); border-radius: 22px; }
            """
    }
}
