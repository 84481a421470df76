import CGtk4
import CScreen
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A browser that fills the screen, on an X server whose window manager the test plays.
final class BrowserFullScreenTests: GTKTestCase, @unchecked Sendable {
    /// A browser that was presented over a window and has made that full-screen.
    @MainActor
    private func stage() throws -> (stage: BrowserStage, manager: OpaquePointer, surface: OpaquePointer) {
        let stage = try presentingStage(2, thumbnails: 1)
        let surface = try XCTUnwrap(gtk_native_get_surface(OpaquePointer(stage.window)))
        guard let manager = webimage_begin_managing(surface) else {
            stage.close()
            throw XCTSkip("there is a window manager, or the display is none of X11's")
        }
        stage.browser.present(from: PictureView(stage.thumbnails[0]))
        stage.animator.finish()
        stage.browser.perform(.toggleFullScreen)
        iterate(until: { isFullScreen(stage, manager) }, "the window fills the screen")
        XCTAssertTrue(stage.browser.hasFilledScreen)
        return (stage, manager, surface)
    }

    /// Runs `body` with such a browser, the display of the window manager, and the surface of the window.
    private func onFullScreen(
        _ body: @MainActor (BrowserStage, _ manager: OpaquePointer, _ surface: OpaquePointer) throws -> Void
    ) throws {
        try onMainThread {
            let (stage, manager, surface) = try stage()
            defer {
                stage.close()
                XCloseDisplay(manager)
            }
            try body(stage, manager, surface)
        }
    }

    @MainActor
    private func isFullScreen(_ stage: BrowserStage, _ manager: OpaquePointer) -> Bool {
        webimage_manage(manager)
        return gtk_window_is_fullscreen(stage.window.of(GtkWindow.self)) != 0
    }

    /// A window that the browser has made full-screen is as before when the browser is closed.
    func testClosing() throws {
        try onFullScreen { stage, manager, _ in
            stage.browser.dismiss()
            stage.animator.finishAll()
            iterate(until: { !isFullScreen(stage, manager) }, "the window is as before")
        }
    }

    /// Escape closes the browser when the window manager has ended the full screen.
    func testWindowManager() throws {
        try onFullScreen { stage, manager, surface in
            webimage_fill_screen(manager, gdk_x11_surface_get_xid(surface), 0)
            iterate(until: { !isFullScreen(stage, manager) }, "the window is as before")
            XCTAssertFalse(stage.browser.hasFilledScreen)
            XCTAssertEqual(stage.browser.input?.press(GDK_KEY_Escape), true)
            XCTAssertFalse(stage.browser.isPresented)
            stage.animator.finishAll()
        }
    }

    /// Escape ends the full screen first, and closes then.
    func testEscape() throws {
        try onFullScreen { stage, manager, _ in
            XCTAssertEqual(stage.browser.input?.press(GDK_KEY_Escape), true)
            iterate(until: { !isFullScreen(stage, manager) }, "the window is as before")
            XCTAssertTrue(stage.browser.isPresented)
            XCTAssertEqual(stage.browser.input?.press(GDK_KEY_Escape), true)
            XCTAssertFalse(stage.browser.isPresented)
            stage.animator.finishAll()
        }
    }
}
