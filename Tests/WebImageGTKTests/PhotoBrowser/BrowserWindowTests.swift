import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The windows that a browser is in.
final class BrowserWindowTests: GTKTestCase, @unchecked Sendable {
    /// MW-39 A browser in a window of its own goes with the window that it belongs to.
    func testParent() throws {
        try onThumbnails { stage in
            let parent = TestWindow.make()
            gtk_window_present(parent.of(GtkWindow.self))
            stage.browser.presentWindow(over: parent.of(GtkWindow.self))
            iterate(until: { stage.isReady }, "the browser is laid out")
            gtk_window_destroy(parent.of(GtkWindow.self))
            iterate(until: { !stage.browser.screen.isTaken }, "the browser is closed")
            XCTAssertNil(gtk_widget_get_parent(stage.browser.widget))
            XCTAssertTrue(stage.deck.pages.isEmpty)
        }
    }

    /// A browser that is in the app's own layout cannot be presented: it stays there, and a warning says so.
    func testEmbedded() throws {
        try onBrowser(1) { stage in
            let messages = Recorder<String>()
            WebImageLog.setHandler { messages.append($0) }
            defer { WebImageLog.setHandler(nil) }
            let parent = gtk_widget_get_parent(stage.browser.widget)
            stage.browser.present(from: PictureView(stage.browser.pages.stage))
            stage.browser.presentWindow(over: stage.window.of(GtkWindow.self))
            XCTAssertFalse(stage.browser.isPresented)
            XCTAssertEqual(gtk_widget_get_parent(stage.browser.widget), parent)
            XCTAssertEqual(messages.values.count, 2)
            XCTAssertTrue(messages.values.allSatisfy { $0.contains("own layout") }, "\(messages.values)")
        }
    }
}
