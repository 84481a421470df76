import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The way of the keyboard's focus.
final class BrowserFocusTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a browser of three photos, whose first is there.
    private func onFirstPhoto(
        _ configure: @MainActor (BrowserStage) throws -> Void = { _ in },
        test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onBrowser(3, configure) { stage in
            load(in: stage)
            iterate(until: { stage.browser.panels.controls.content.canAct }, "the bars know of the photo")
            stage.animator.finishAll()
            try body(stage)
        }
    }

    /// Hidden bars cannot be reached by keys, and give the focus back to the pages.
    func testHiddenBars() throws {
        try onFirstPhoto { stage in
            let button = try XCTUnwrap(stage.browser.panels.controls.button(of: .turn))
            XCTAssertNotEqual(gtk_widget_grab_focus(button), 0)
            XCTAssertEqual(stage.focus, button)
            stage.clock.advance(by: .seconds(5))
            XCTAssertFalse(stage.browser.areControlsVisible)
            XCTAssertEqual(stage.focus, stage.browser.pages.stage)
            XCTAssertEqual(gtk_widget_grab_focus(button), 0)
            XCTAssertEqual(gtk_widget_child_focus(stage.browser.panels.controls.top, GTK_DIR_TAB_FORWARD), 0)
            XCTAssertEqual(stage.focus, stage.browser.pages.stage)
        }
    }

    /// The tabulator key shows the bars before it moves the focus into them.
    func testTabulator() throws {
        try onFirstPhoto { stage in
            stage.browser.hideControls()
            XCTAssertEqual(stage.browser.input?.press(GDK_KEY_Tab), false)
            XCTAssertTrue(stage.browser.areControlsVisible)
            XCTAssertNotEqual(gtk_widget_child_focus(stage.window, GTK_DIR_TAB_FORWARD), 0)
            XCTAssertNotEqual(stage.focus, stage.browser.pages.stage)
        }
    }

    /// A press on the picture brings the focus there.
    func testPress() throws {
        try onFirstPhoto { stage in
            gtk_widget_grab_focus(stage.browser.panels.controls.button(of: .turn))
            stage.browser.input?.beginDrag()
            XCTAssertEqual(stage.focus, stage.browser.pages.stage)
        }
    }

    /// A button that was pressed by a key keeps the focus; one that goes away, or can do nothing more, leaves it to the
    /// pages.
    func testButtons() throws {
        try onFirstPhoto {
            $0.browser.displayNavArrows = true
        } test: { stage in
            let next = try XCTUnwrap(stage.browser.panels.controls.button(of: .next))
            iterate(until: { gtk_widget_get_mapped(next) != 0 }, "the arrow is visible")
            gtk_widget_grab_focus(next)
            gtk_widget_activate(next)
            XCTAssertEqual(stage.focus, next)
            stage.browser.setCurrentPhotoIndex(2)
            XCTAssertEqual(gtk_widget_get_sensitive(next), 0)
            XCTAssertEqual(stage.focus, stage.browser.pages.stage)
            stage.browser.setCurrentPhotoIndex(1)
            gtk_widget_grab_focus(next)
            stage.browser.displayNavArrows = false
            XCTAssertEqual(stage.focus, stage.browser.pages.stage)
        }
    }

    /// A menu gives the focus back to where it was.
    func testMenu() throws {
        try onMainThread { try requireSeat() }
        try onFirstPhoto { stage in
            let button = try XCTUnwrap(stage.browser.panels.controls.button(of: .action))
            stage.browser.perform(.action)
            let popover = try XCTUnwrap(button.children.last)
            iterate(until: { gtk_widget_get_mapped(popover) != 0 }, "the menu is open")
            gtk_popover_popdown(popover.of(GtkPopover.self))
            iterate(
                until: { stage.browser.panels.menu == nil && stage.focus == stage.browser.pages.stage },
                "the menu is closed")
        }
    }

    /// The button of a complaint that is pressed goes away, and leaves the focus to the pages.
    func testRetry() throws {
        try onBrowser(1) { stage in
            awaitLoad(in: stage)
            stage.fail(0)
            let button = stage.browser.pages.status.retryButton
            iterate(until: { gtk_widget_get_mapped(button) != 0 }, "the complaint is shown")
            XCTAssertNotEqual(gtk_widget_grab_focus(button), 0)
            gtk_widget_activate(button)
            iterate(until: { stage.focus == stage.browser.pages.stage }, "the pages have the focus")
        }
    }
}
