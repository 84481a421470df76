import CGtk4

/// Blocks input to a widget until it is released; several holds of one widget may overlap.
///
/// During a hold, clicks, touches and the pointer go to the widget behind; the keyboard is unaffected. The last release
/// restores the widget.
final class InputHold {
    private static let key = "webimage-input-holds"

    private let widget: UnsafeMutablePointer<GtkWidget>
    private var isReleased = false

    init(_ widget: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        let record = Self.record(of: widget)
        // A widget that gets no input anyway stays that way.
        let wasTarget = record.holds == 0 ? gtk_widget_get_can_target(widget) != 0 : record.wasTarget
        Self.set(Record(holds: record.holds + 1, wasTarget: wasTarget), for: widget)
        gtk_widget_set_can_target(widget, 0)
    }

    /// Restores the widget's input, unless another hold remains. The widget must be alive.
    func release() {
        guard !isReleased else { return }
        isReleased = true
        var record = Self.record(of: widget)
        record.holds -= 1
        Self.set(record, for: widget)
        if record.holds == 0, record.wasTarget { gtk_widget_set_can_target(widget, 1) }
    }

    /// Stored with the widget as one number, which needs no memory to be freed.
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
