import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures of menu buttons, which have the states of their inner button.
final class MenuButtonTests: ButtonTestCase, @unchecked Sendable {
    /// VIEW-14: a menu button has the states of its inner button.
    func testAMenuButtonsArrowMakesRoom() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_menu_button_new())
            defer { stage.close() }
            let (button, test) = (ButtonView(stage.widget), TestStage())
            // Without a menu it is disabled.
            gtk_menu_button_set_popover(OpaquePointer(stage.widget), gtk_popover_new())
            load(.red, in: button, test)
            load(.green, in: button.imageView(for: .prelight), test)
            load(.blue, in: button.backgroundView(for: .normal), test)
            XCTAssertEqual(gtk_menu_button_get_child(OpaquePointer(stage.widget)), button.imageWidget)
            XCTAssertEqual(try seen(button, stage), [.red])
            let inner = stage.widget.children[0]
            gtk_widget_set_state_flags(inner, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(button.state, .prelight)
            XCTAssertEqual(try seen(button, stage), [.green])
            gtk_widget_unset_state_flags(inner, GTK_STATE_FLAG_PRELIGHT)
            XCTAssertEqual(try seen(button, stage), [.red])
        }
    }

    func testAMenuButtonsLabelAndIconStay() throws {
        try onMainThread {
            try requireDisplay()
            for hasLabel in [true, false] {
                let stage = try shown(gtk_menu_button_new())
                let menuButton = OpaquePointer(stage.widget)
                gtk_menu_button_set_popover(menuButton, gtk_popover_new())
                if hasLabel {
                    gtk_menu_button_set_label(menuButton, "Ada")
                } else {
                    gtk_menu_button_set_icon_name(menuButton, "open-menu-symbolic")
                }
                let button = ButtonView(stage.widget)
                load(.red, in: button, TestStage())
                XCTAssertEqual(try seen(button, stage), [.red], "has a label: \(hasLabel)")
                let label = gtk_menu_button_get_label(menuButton).map { String(cString: $0) }
                XCTAssertEqual(label == "Ada", hasLabel)
                button.image = nil
                let icon = gtk_menu_button_get_icon_name(menuButton).map { String(cString: $0) }
                XCTAssertEqual(icon == "open-menu-symbolic", !hasLabel)
                stage.close()
            }
        }
    }
}
