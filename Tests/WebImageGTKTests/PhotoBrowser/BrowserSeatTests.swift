import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The place of a browser in windows of several kinds.
final class BrowserSeatTests: GTKTestCase, @unchecked Sendable {
    /// A dialog on the screen, with a thumbnail in what `wrap` puts around it.
    @MainActor
    private func dialog(
        _ stage: BrowserStage, _ wrap: (UnsafeMutablePointer<GtkWidget>) -> UnsafeMutablePointer<GtkWidget>
    ) throws -> (window: UnsafeMutablePointer<GtkWidget>, picture: UnsafeMutablePointer<GtkWidget>) {
        let window: UnsafeMutablePointer<GtkWidget> = gtk_dialog_new()
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        PictureView(picture).fixedSize = PointSize(width: 50, height: 50)
        PictureView(picture).image = try Colour.blue.image(width: 20, height: 20)
        let area = try XCTUnwrap(gtk_dialog_get_content_area(window.of(GtkDialog.self)))
        gtk_box_append(area.of(GtkBox.self), wrap(picture))
        gtk_window_set_default_size(window.of(GtkWindow.self), 400, 300)
        gtk_window_present(window.of(GtkWindow.self))
        iterate(until: { gtk_widget_get_width(picture) > 0 }, "the dialog is on the screen")
        return (window, picture)
    }

    /// A window that keeps its child to itself, as those of libadwaita do, is left as it is: the browser has its own window.
    func testDialog() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(1)
            let (window, picture) = try dialog(stage) { $0 }
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            let child = gtk_window_get_child(window.of(GtkWindow.self))
            stage.browser.present(from: PictureView(picture))
            XCTAssertEqual(gtk_window_get_child(window.of(GtkWindow.self)), child)
            XCTAssertNotEqual(stage.browser.widget.window, window.of(GtkWindow.self))
            XCTAssertTrue(stage.browser.isPresented)
            XCTAssertEqual(
                stage.browser.widget.window.flatMap { gtk_window_get_transient_for($0) }, window.of(GtkWindow.self))
            stage.browser.dismiss()
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
        }
    }

    /// If it has an overlay, the browser covers that, and the picture flies.
    func testDialogWithOverlay() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BrowserStage(1)
            let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
            let (window, picture) = try dialog(stage) {
                gtk_overlay_set_child(OpaquePointer(overlay), $0)
                return overlay
            }
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            stage.browser.present(from: PictureView(picture))
            XCTAssertEqual(gtk_widget_get_parent(stage.browser.widget), overlay)
            XCTAssertTrue(stage.browser.pages.flight.isRunning)
            stage.browser.dismiss()
            stage.animator.finishAll()
            XCTAssertNil(gtk_widget_get_parent(stage.browser.widget))
        }
    }

    /// A browser that comes while another one goes: the keyboard reaches the app when both are gone, and not before.
    func testTwoBrowsers() throws {
        try onPresentedBrowser { stage in
            let content = try XCTUnwrap(stage.browser.widget.window.flatMap { gtk_window_get_child($0) })
            let covered = try XCTUnwrap(gtk_overlay_get_child(OpaquePointer(content)))
            stage.browser.dismiss()
            XCTAssertTrue(stage.browser.screen.isTaken)
            let other = PhotoBrowser(photos: [Photo(.empty)])
            other.present(from: PictureView(stage.thumbnails[0]))
            stage.animator.finishAll()
            XCTAssertFalse(stage.browser.screen.isTaken)
            XCTAssertEqual(gtk_widget_get_can_focus(covered), 0)
            other.screen.end()
            XCTAssertEqual(gtk_widget_get_can_focus(covered), 1)
        }
    }

    /// The keyboard reaches nothing below the browser, and all of it afterwards that it reached before.
    func testFocusOfWhatIsCovered() throws {
        try onMainThread {
            let stage = try presentingStage()
            defer { stage.close() }
            let content = try XCTUnwrap(gtk_window_get_child(stage.window.of(GtkWindow.self)))
            let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
            g_object_ref(content)
            gtk_window_set_child(stage.window.of(GtkWindow.self), overlay)
            gtk_overlay_set_child(OpaquePointer(overlay), content)
            g_object_unref(content)
            let (button, label): (UnsafeMutablePointer<GtkWidget>, UnsafeMutablePointer<GtkWidget>) = (
                gtk_button_new(), gtk_label_new("")
            )
            for part in [button, label] { gtk_overlay_add_overlay(OpaquePointer(overlay), part) }
            gtk_widget_set_can_focus(label, 0)
            present(stage)
            for part in [content, button, label] { XCTAssertEqual(gtk_widget_get_can_focus(part), 0) }
            stage.browser.screen.end()
            XCTAssertEqual([content, button, label].map { gtk_widget_get_can_focus($0) }, [1, 1, 0])
        }
    }
}
