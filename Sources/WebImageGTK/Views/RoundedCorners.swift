import CGtk4

/// Rounds the corners of widgets, by one style sheet with a class for each radius that is in use.
enum RoundedCorners {
    private static let sheet = DisplayStyleSheet(
        "webimage-corner-style", priority: GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
    /// In hundredths of a point.
    private static var radii: Set<Int> = []

    /// - Parameter radius: In points, 0 for none, with a precision of 0.01.
    static func set(_ radius: Double, on widget: UnsafeMutablePointer<GtkWidget>, inPlaceOf former: Double) {
        let (new, old) = (hundredths(radius), hundredths(former))
        if old > 0 { gtk_widget_remove_css_class(widget, name(of: old)) }
        gtk_widget_set_overflow(widget, new > 0 ? GTK_OVERFLOW_HIDDEN : GTK_OVERFLOW_VISIBLE)
        guard new > 0 else { return }
        if radii.insert(new).inserted { sheet.css = css }
        sheet.serve(widget)
        gtk_widget_add_css_class(widget, name(of: new))
    }

    private static var css: String {
        radii.map { ".\(name(of: $0)) { border-radius: \($0 / 100).\($0 % 100 / 10)\($0 % 10)px; }" }
            .joined(separator: "\n")
    }

    private static func name(of radius: Int) -> String { "webimage-corner-\(radius)" }

    /// Beyond the largest screens, all radii look alike.
    private static func hundredths(_ radius: Double) -> Int {
        radius > 0 ? Int((min(radius, 100_000) * 100).rounded()) : 0
    }
}
