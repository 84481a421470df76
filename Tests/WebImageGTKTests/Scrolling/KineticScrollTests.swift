import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A list with kinetic scrolling after a touchpad gesture, by GTK's own clock.
final class KineticScrollTests: GTKTestCase, @unchecked Sendable {
    /// S0-3: the list slows down by itself: loads of low priority wait for that, and for nothing else.
    func testLowPriorityWaitsUntilAListThatWasFlungComesToRest() throws {
        try onList(pictures: 200) { stage in
            let scroller = try XCTUnwrap(
                gtk_widget_get_ancestor(stage.pictures[0], gtk_scrolled_window_get_type()))
            stage.area.time = FrameAnimation.frameTime
            stage.present(in: self)
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
            // The first frames of a busy machine may be so far apart that the list is at rest again.
            var (place, stillCount) = (-1.0, 0)
            try iterate(
                until: {
                    let value = gtk_adjustment_get_value(adjustment)
                    (place, stillCount) = (value, value == place ? stillCount + 1 : 0)
                    if stillCount % 50 == 1 { try fling(scroller, at: 100) }
                    return stage.area.isFast
                }, "fast scrolling")
            let seen = stage.seen
            stage.bind(seen[0], to: "low", .lowPriority)
            stage.bind(seen[1], to: "normal")
            XCTAssertEqual(stage.asked, ["normal"])
            let begin = gtk_adjustment_get_value(adjustment)
            iterate(until: { stage.asked.count == 2 }, "the load")
            XCTAssertFalse(stage.area.isFast)
            XCTAssertGreaterThan(gtk_adjustment_get_value(adjustment), begin, "it went on by itself")
        }
    }

    /// Emits the signals of a gesture that ends at `velocity`, in notches of a wheel per second: GTK's unit until an event
    /// has set another one. A hundred of them move the list by some screens, and not to its end.
    @MainActor
    private func fling(_ scroller: UnsafeMutablePointer<GtkWidget>, at velocity: Double) throws {
        let controllers = gtk_widget_observe_controllers(scroller)
        defer { g_object_unref(UnsafeMutableRawPointer(controllers)) }
        let kind = gtk_event_controller_scroll_get_type()
        let found = (0..<g_list_model_get_n_items(controllers)).compactMap { index in
            UnsafeMutableRawPointer(g_list_model_get_item(controllers, index))
        }
        defer { for controller in found { g_object_unref(controller) } }
        let scrolls = found.filter {
            g_type_check_instance_is_a($0.assumingMemoryBound(to: GTypeInstance.self), kind) != 0
        }
        let controller = try XCTUnwrap(scrolls.first, "GTK's scroller has no controller for scrolling")
        var values = [GValue(), GValue(), GValue()]
        g_value_init(&values[0], kind)
        g_value_set_object(&values[0], controller)
        for (index, speed) in [(1, 0), (2, velocity)] {
            g_value_init(&values[index], GType(15 << 2))  // G_TYPE_DOUBLE, a macro that Swift does not import
            g_value_set_double(&values[index], speed)
        }
        g_signal_emitv(&values, g_signal_lookup("decelerate", kind), 0, nil)
        g_value_unset(&values[0])
    }
}
