import CGtk4
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Where the keyboard goes.
final class BrowserFocusTests: GTKTestCase, @unchecked Sendable {
    @MainActor
    private func stage(_ configure: (BrowserStage) -> Void = { _ in }) throws -> BrowserStage {
        try requireDisplay()
        let stage = BrowserStage(3)
        configure(stage)
        stage.embed()
        iterate(until: { stage.isReady && !stage.pending(0).isEmpty }, "the photo is being loaded")
        stage.finish(0)
        iterate(until: { stage.browser.controls.content.canAct }, "the photo is there")
        stage.animator.finishAll()
        return stage
    }

    @MainActor
    private func focus(_ stage: BrowserStage) -> UnsafeMutablePointer<GtkWidget>? {
        gtk_window_get_focus(stage.window.of(GtkWindow.self))
    }

    @MainActor
    private func press(_ key: Int32, _ stage: BrowserStage) -> Bool? {
        stage.browser.input?.press(BrowserKey(guint(key), GdkModifierType(rawValue: 0)))
    }

    /// Hidden bars cannot be reached by keys, and give the focus back to the pages.
    func testHiddenBars() throws {
        try onMainThread {
            let stage = try stage()
            defer { stage.close() }
            let button = try XCTUnwrap(stage.browser.controls.button(of: .turn))
            XCTAssertNotEqual(gtk_widget_grab_focus(button), 0)
            XCTAssertEqual(focus(stage), button)
            stage.clock.advance(by: .seconds(5))
            XCTAssertFalse(stage.browser.areControlsVisible)
            XCTAssertEqual(focus(stage), stage.browser.stage)
            XCTAssertEqual(gtk_widget_grab_focus(button), 0)
            XCTAssertEqual(gtk_widget_child_focus(stage.browser.controls.top, GTK_DIR_TAB_FORWARD), 0)
            XCTAssertEqual(focus(stage), stage.browser.stage)
        }
    }

    /// The tabulator key shows the bars before it moves the focus into them.
    func testTabulator() throws {
        try onMainThread {
            let stage = try stage()
            defer { stage.close() }
            stage.browser.hideControls()
            XCTAssertEqual(press(GDK_KEY_Tab, stage), false)
            XCTAssertTrue(stage.browser.areControlsVisible)
            XCTAssertNotEqual(gtk_widget_child_focus(stage.window, GTK_DIR_TAB_FORWARD), 0)
            XCTAssertNotEqual(focus(stage), stage.browser.stage)
        }
    }

    /// A press on the picture brings the focus there.
    func testPress() throws {
        try onMainThread {
            let stage = try stage()
            defer { stage.close() }
            gtk_widget_grab_focus(stage.browser.controls.button(of: .turn))
            stage.browser.input?.beginDrag()
            XCTAssertEqual(focus(stage), stage.browser.stage)
        }
    }

    /// A button that was pressed by a key keeps the focus; one that goes away, or can do nothing more, leaves it to the
    /// pages.
    func testButtons() throws {
        try onMainThread {
            let stage = try stage { $0.browser.displayNavArrows = true }
            defer { stage.close() }
            let next = try XCTUnwrap(stage.browser.controls.button(of: .next))
            iterate(until: { gtk_widget_get_mapped(next) != 0 }, "the arrow is visible")
            gtk_widget_grab_focus(next)
            gtk_widget_activate(next)
            XCTAssertEqual(focus(stage), next)
            stage.browser.setCurrentPhotoIndex(2)
            XCTAssertEqual(gtk_widget_get_sensitive(next), 0)
            XCTAssertEqual(focus(stage), stage.browser.stage)
            stage.browser.setCurrentPhotoIndex(1)
            gtk_widget_grab_focus(next)
            stage.browser.displayNavArrows = false
            XCTAssertEqual(focus(stage), stage.browser.stage)
        }
    }

    /// A menu gives the focus back to where it was.
    func testMenu() throws {
        try onMainThread {
            let stage = try stage()
            defer { stage.close() }
            let button = try XCTUnwrap(stage.browser.controls.button(of: .action))
            stage.browser.perform(.action)
            let popover = try XCTUnwrap(button.children.last)
            iterate(until: { gtk_widget_get_mapped(popover) != 0 }, "the menu is open")
            gtk_popover_popdown(popover.of(GtkPopover.self))
            iterate(until: { stage.browser.menu == nil && focus(stage) == stage.browser.stage }, "the menu is closed")
        }
    }

    /// The button of a complaint that is pressed goes away, and leaves the focus to the pages.
    func testRetry() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(1)
            defer { stage.close() }
            stage.embed()
            iterate(until: { stage.isReady && !stage.pending(0).isEmpty }, "the photo is being loaded")
            stage.fail(0)
            let button = stage.browser.status.retryButton
            iterate(until: { gtk_widget_get_mapped(button) != 0 }, "the complaint is shown")
            XCTAssertNotEqual(gtk_widget_grab_focus(button), 0)
            gtk_widget_activate(button)
            iterate(until: { focus(stage) == stage.browser.stage }, "the pages have the focus")
        }
    }
}
