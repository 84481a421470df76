import CGtk4

/// Rounds the corners of widgets, by one style sheet with a class for each radius that is in use.
enum RoundedCorners {
    private static let sheet = DisplayStyleSheet(
        "webimage-corner-style", priority: GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
    /// The number of widgets per radius in the sheet, in hundredths of a point. An unused radius stays until the sheet
    /// is next written, because writing it makes GTK restyle every widget.
    private static var uses: [Int: Int] = [:]

    private static let key = "webimage-corner"

    /// - Parameter radius: In points, 0 for none, with a precision of 0.01.
    static func set(_ radius: Double, on widget: UnsafeMutablePointer<GtkWidget>) {
        let corner = AssociatedObject.of(key, on: widget) { Corner() }
        let (new, old) = (hundredths(radius), corner.radius)
        guard new != old else { return }
        if old > 0 { gtk_widget_remove_css_class(widget, name(of: old)) }
        gtk_widget_set_overflow(widget, new > 0 ? GTK_OVERFLOW_HIDDEN : GTK_OVERFLOW_VISIBLE)
        corner.radius = new
        guard new > 0 else { return }
        sheet.serve(widget)
        gtk_widget_add_css_class(widget, name(of: new))
    }

    /// The radius of a widget, in points.
    static func radius(of widget: UnsafeMutablePointer<GtkWidget>) -> Double {
        let corner: Corner? = AssociatedObject.find(key, on: widget)
        return Double(corner?.radius ?? 0) / 100
    }

    /// The radii in the style sheet, in hundredths of a point.
    static var knownRadii: Set<Int> { Set(uses.keys) }

    /// The radius of one widget, which owns this object.
    private final class Corner {
        /// In hundredths of a point, 0 for none.
        var radius = 0 {
            didSet { RoundedCorners.change(from: oldValue, to: radius) }
        }

        isolated deinit { RoundedCorners.change(from: radius, to: 0) }
    }

    private static func change(from old: Int, to new: Int) {
        if old > 0 { uses[old, default: 1] -= 1 }
        guard new > 0 else { return }
        let isNew = uses[new] == nil
        uses[new, default: 0] += 1
        guard isNew else { return }
        uses = uses.filter { $0.value > 0 }
        sheet.css = css
    }

    private static var css: String {
        uses.keys.map { ".\(name(of: $0)) { border-radius: \($0 / 100).\($0 % 100 / 10)\($0 % 10)px; }" }
            .joined(separator: "\n")
    }

    private static func name(of radius: Int) -> String { "webimage-corner-\(radius)" }

    /// A larger radius than the largest screens makes no visible difference.
    private static func hundredths(_ radius: Double) -> Int {
        radius > 0 ? Int((min(radius, 100_000) * 100).rounded()) : 0
    }
}
