import CGtk4

/// Keeps input away from a widget until it is released; several holds of one widget may overlap.
///
/// While there is one, clicks, touches and the pointer go to what lies behind; the keyboard is left alone. The last one to
/// go makes the widget as it was before the first.
final class InputHold {
    private static let key = "webimage-input-holds"

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var isReleased = false

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        let record = Self.record(of: widget)
        // A widget that gets no input anyhow is left alone for good.
        let wasTarget = record.holds == 0 ? gtk_widget_get_can_target(widget) != 0 : record.wasTarget
        Self.set(Record(holds: record.holds + 1, wasTarget: wasTarget), for: widget)
        gtk_widget_set_can_target(widget, 0)
    }

    /// Gives the widget its input back, unless another hold remains. The widget must still be alive.
    func release() {
        guard !isReleased else { return }
        isReleased = true
        var record = Self.record(of: widget)
        record.holds -= 1
        Self.set(record, for: widget)
        if record.holds == 0, record.wasTarget { gtk_widget_set_can_target(widget, 1) }
    }

    /// Kept with the widget as one number, so that nothing has to be freed with it.
    private struct Record {
        var holds = 0
        var wasTarget = false
    }

    private static func record(of widget: UnsafeMutablePointer<GtkWidget>) -> Record {
        let object = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
        let bits = Int(bitPattern: g_object_get_data(object, key))
        return Record(holds: bits >> 1, wasTarget: bits & 1 != 0)
    }

    private static func set(_ record: Record, for widget: UnsafeMutablePointer<GtkWidget>) {
        let object = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
        let bits = record.holds == 0 ? 0 : record.holds << 1 | (record.wasTarget ? 1 : 0)
        g_object_set_data(object, key, gpointer(bitPattern: bits))
    }
}
