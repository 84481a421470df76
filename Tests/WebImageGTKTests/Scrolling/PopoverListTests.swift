import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Lists in popovers, which are laid out after their window.
final class PopoverListTests: GTKTestCase, @unchecked Sendable {
    func testAListInAPopoverLoadsWhatIsSeenWhenItAppears() throws {
        try onMainThread {
            for isBoundFirst in [true, false] {
                try requireDisplay()
                let button: UnsafeMutablePointer<GtkWidget> = gtk_menu_button_new()
                let popover: UnsafeMutablePointer<GtkWidget> = gtk_popover_new()
                gtk_popover_set_autohide(popover.of(GtkPopover.self), 0)
                let stage = LongList(
                    .list, isBoundFirst: isBoundFirst,
                    place: {
                        gtk_widget_set_size_request($0, 200, 300)
                        gtk_popover_set_child(popover.of(GtkPopover.self), $0)
                        gtk_menu_button_set_popover(OpaquePointer(button), popover)
                        return button
                    })
                defer { stage.close() }
                iterate(until: { gtk_widget_get_mapped(button) != 0 }, "the window")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, [])
                gtk_menu_button_popup(OpaquePointer(button))
                iterate(until: { stage.asked.count >= 6 }, "the first screen")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, stage.seenItems.map(String.init))
            }
        }
    }
}
