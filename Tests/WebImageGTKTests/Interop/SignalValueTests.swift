import CGtk4
import XCTest

@testable import WebImageGTK

/// Values of GObject's types as Swift's.
final class SignalValueTests: GTKTestCase, @unchecked Sendable {
    func testNumbersAndTextsComeBackAsTheyWere() throws {
        for name in ["gchar", "guchar", "gint", "guint", "glong", "gulong", "gint64", "guint64"] {
            XCTAssertEqual(roundTrip(100, name), 100, name)
            XCTAssertFalse(Double.signalConversion.accepts(g_type_from_name(name)), name)
        }
        for name in ["gfloat", "gdouble"] {
            XCTAssertEqual(roundTrip(0.25, name), 0.25, name)
            XCTAssertFalse(Int.signalConversion.accepts(g_type_from_name(name)), name)
        }
        XCTAssertEqual(roundTrip(true, "gboolean"), true)
        XCTAssertEqual(roundTrip(false, "gboolean"), false)
        XCTAssertEqual(roundTrip("Ada", "gchararray"), "Ada")
        XCTAssertEqual(roundTrip(nil as String?, "gchararray"), .some(nil))
        XCTAssertFalse(String.signalConversion.accepts(g_type_from_name("gint")))
    }

    func testNumbersOutOfRangeAreTheNearestOnes() {
        XCTAssertEqual(roundTrip(-1, "guint"), 0)
        XCTAssertEqual(roundTrip(1 << 40, "gint"), Int(Int32.max))
        XCTAssertEqual(roundTrip(-1, "guint64"), 0)
    }

    func testPointersAndFlags() throws {
        try onMainThread {
            try requireDisplay()
            let list: OpaquePointer = gtk_string_list_new(nil)
            defer { g_object_unref(UnsafeMutableRawPointer(list)) }
            XCTAssertEqual(roundTrip(list, "GtkStringList"), list)
            XCTAssertEqual(roundTrip(list, "GListModel"), list)
            XCTAssertEqual(roundTrip(UnsafeMutableRawPointer(list), "gpointer"), UnsafeMutableRawPointer(list))
            XCTAssertEqual(roundTrip(nil as OpaquePointer?, "GtkStringList"), .some(nil))
            let type = gdk_modifier_type_get_type()
            XCTAssertTrue(GdkModifierType.signalConversion.accepts(type))
            XCTAssertEqual(roundTrip(GDK_CONTROL_MASK, type), GDK_CONTROL_MASK)
            XCTAssertEqual(roundTrip(Int(GDK_CONTROL_MASK.rawValue), type), Int(GDK_CONTROL_MASK.rawValue))
        }
    }

    private func roundTrip<Value: SignalValue>(_ value: Value, _ name: String) -> Value? {
        roundTrip(value, g_type_from_name(name))
    }

    private func roundTrip<Value: SignalValue>(_ value: Value, _ type: GType) -> Value? {
        let conversion = Value.signalConversion
        guard conversion.accepts(type) else { return nil }
        var holder = GValue()
        g_value_init(&holder, type)
        defer { g_value_unset(&holder) }
        conversion.write(value, &holder)
        return conversion.read(&holder)
    }
}
