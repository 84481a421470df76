import CGtk4
import XCTest

@testable import WebImageGTK

/// Swift closures as handlers of signals.
final class SignalTests: GTKTestCase, @unchecked Sendable {
    /// Numbers and texts; the last arguments may be left out.
    func testTheClosureGetsTheArguments() throws {
        try onMainThread {
            try requireDisplay()
            let list: OpaquePointer = gtk_string_list_new(nil)
            defer { g_object_unref(UnsafeMutableRawPointer(list)) }
            let (all, first) = (Recorder<[Int]>(), Recorder<Int>())
            var calls = 0
            connect(list, "items-changed") { (position: Int, removed: Int, added: Int) in
                all.append([position, removed, added])
            }
            connect(list, "items-changed") { (position: Int) in first.append(position) }
            connect(list, "items-changed") { calls += 1 }
            gtk_string_list_append(list, "a")
            gtk_string_list_append(list, "b")
            gtk_string_list_remove(list, 0)
            XCTAssertEqual(all.values, [[0, 0, 1], [1, 0, 1], [0, 1, 0]])
            XCTAssertEqual(first.values, [0, 1, 0])
            XCTAssertEqual(calls, 3)
        }
    }

    /// The result of a closure of one expression is dropped where the signal has none.
    func testASignalWithoutAResultDropsThatOfTheClosure() throws {
        try onMainThread {
            try requireDisplay()
            let list: OpaquePointer = gtk_string_list_new(nil)
            defer { g_object_unref(UnsafeMutableRawPointer(list)) }
            var names = ["a", "b"]
            connect(list, "items-changed") { names.removeFirst() }
            gtk_string_list_append(list, "a")
            XCTAssertEqual(names, ["b"])
        }
    }

    /// A pointer of the type that the closure names, a text, and one that is `NULL`.
    func testPointersAndTexts() throws {
        try onMainThread {
            try requireDisplay()
            let stack: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
            g_object_ref_sink(stack)
            defer { g_object_unref(stack) }
            let properties = Recorder<String>()
            connect(stack, "notify::visible-child") { (property: UnsafeMutablePointer<GParamSpec>) in
                properties.append(String(cString: property.pointee.name))
            }
            gtk_stack_add_child(cast(stack), gtk_label_new("a"))
            XCTAssertEqual(properties.values, ["visible-child"])

            let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new("<a href=\"b\">b</a>")
            g_object_ref_sink(label)
            defer { g_object_unref(label) }
            let links = Recorder<String>()
            connect(label, "activate-link") { (link: String) in
                links.append(link)
                return true
            }
            XCTAssertTrue(answer("activate-link", of: label, gtk_label_get_type(), to: "b"))
            XCTAssertEqual(links.values, ["b"])
        }
    }

    /// The object's end, and `g_signal_handler_disconnect`.
    func testTheObjectOwnsTheClosure() throws {
        try onMainThread {
            try requireDisplay()
            for disconnects in [true, false] {
                let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
                g_object_ref_sink(button)
                var owned: Owned? = Owned()
                weak let released = owned
                let handler = connect(button, "clicked") { [owned] in owned?.calls += 1 }
                owned = nil
                press(button)
                XCTAssertEqual(released?.calls, 1)
                if disconnects {
                    g_signal_handler_disconnect(button, handler)
                    press(button)
                    XCTAssertNil(released)
                }
                g_object_unref(button)
                XCTAssertNil(released)
            }
        }
    }

    /// A handler that disconnects itself runs to its end.
    func testAHandlerMayDisconnectItself() throws {
        try onMainThread {
            try requireDisplay()
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            g_object_ref_sink(button)
            defer { g_object_unref(button) }
            var (calls, handler): (Int, gulong) = (0, 0)
            handler = connect(button, "clicked") {
                g_signal_handler_disconnect(button, handler)
                calls += 1
            }
            press(button)
            press(button)
            XCTAssertEqual(calls, 1)
        }
    }

    func testWhatDoesNotFitIsNamed() throws {
        try onMainThread {
            try requireDisplay()
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            g_object_ref_sink(button)
            defer { g_object_unref(button) }
            @MainActor func fault(
                _ signal: String, result: (any SignalValue.Type)? = nil, _ types: any SignalValue.Type...,
                of object: UnsafeMutableRawPointer? = nil
            ) -> String? {
                var shape = SignalShape(result: result)
                for type in types { shape.add(type) }
                return shape.fault(for: signal, of: object ?? button.address)
            }
            XCTAssertEqual(fault("pressed!"), "GtkButton has no signal pressed!")
            XCTAssertNil(fault("clicked"))
            XCTAssertEqual(fault("clicked", Int.self), "the signal clicked of GtkButton is () -> void")
            XCTAssertEqual(
                fault("move-focus", String.self), "the signal move-focus of GtkButton is (GtkDirectionType) -> void")
            XCTAssertNil(fault("move-focus", Int.self))
            XCTAssertNil(fault("notify::visible", OpaquePointer.self))
            let events: OpaquePointer = gtk_event_controller_legacy_new()
            defer { g_object_unref(events.address) }
            XCTAssertNil(fault("event", result: Bool.self, OpaquePointer.self, of: events.address))
            XCTAssertNotNil(fault("event", Int.self, of: events.address))
            XCTAssertNil(fault("query-tooltip", result: Bool.self, Int.self, Int.self, Bool.self, OpaquePointer.self))
            XCTAssertEqual(
                fault("query-tooltip", result: String.self),
                "the signal query-tooltip of GtkButton is (gint, gint, gboolean, GtkTooltip) -> gboolean")
        }
    }

    private final class Owned {
        var calls = 0
    }

    /// Emits a signal with a text, and returns what its handlers say.
    @MainActor
    private func answer(
        _ signal: String, of widget: UnsafeMutablePointer<GtkWidget>, _ type: GType, to text: String
    ) -> Bool {
        var values = [GValue(), GValue()]
        var result = GValue()
        g_value_init(&values[0], type)
        g_value_set_object(&values[0], widget)
        g_value_init(&values[1], g_type_from_name("gchararray"))
        g_value_set_string(&values[1], text)
        g_value_init(&result, g_type_from_name("gboolean"))
        g_signal_emitv(&values, g_signal_lookup(signal, type), 0, &result)
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        return g_value_get_boolean(&result) != 0
    }
}
