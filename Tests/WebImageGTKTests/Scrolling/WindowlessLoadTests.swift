import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Loads of views that are in no window.
final class WindowlessLoadTests: ViewTestCase, @unchecked Sendable {
    func testTheFirstOneIsTold() throws {
        try onMainThread {
            try requireDisplay()
            XCTAssertTrue(GTKLog.isInstalled)
            let test = TestStage()
            let (inside, outside) = try (shownPicture(), newPicture())
            defer { inside.close() }
            defer { g_object_unref(outside) }
            // Another test may have been the first one.
            WindowlessLoads.isTold = false
            _ = GTKLog.takeOwnMessages()
            load(.red, in: PictureView(inside.widget), test)
            PictureView(outside).setImage(with: test.url("\(Colour.red.channels)"), context: test.context)
            XCTAssertEqual(GTKLog.takeOwnMessages(), [], "in a window, and from memory")
            load(.green, in: PictureView(outside), test)
            XCTAssertEqual(GTKLog.takeOwnMessages(), [WindowlessLoads.message])
            XCTAssertEqual(GTKLog.takeComplaints(), [], "a program may well do so")
            load(.blue, in: PictureView(outside), test)
            XCTAssertEqual(GTKLog.takeOwnMessages(), [], "once is enough")
        }
    }

    /// They wait for a place, or for a size.
    func testOnesThatWaitAreNot() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            WindowlessLoads.isTold = false
            _ = GTKLog.takeOwnMessages()
            let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
            g_object_ref_sink(scroller)
            defer { g_object_unref(scroller) }
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            gtk_scrolled_window_set_child(cast(scroller), picture)
            PictureView(picture).setImage(with: test.url("a"), context: test.context)
            XCTAssertTrue(test.loader.loads.isEmpty)
            XCTAssertEqual(GTKLog.takeOwnMessages(), [])
            let view = WebImageView()
            view.context = test.context
            view.url = test.url("b")
            XCTAssertTrue(test.loader.loads.isEmpty)
            XCTAssertEqual(GTKLog.takeOwnMessages(), [])
        }
    }

    @MainActor
    private func shownPicture() throws -> WidgetStage { try shown(gtk_picture_new()) }

    @MainActor
    private func newPicture() -> UnsafeMutablePointer<GtkWidget> {
        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
        g_object_ref_sink(picture)
        return picture
    }
}
