import CGtk4
import CScreen
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// A browser on the screen, with the pointer, the wheel and the keys of an X server, and its own time.
final class BrowserScreenTests: GTKTestCase, @unchecked Sendable {
    private static let colours: [Colour] = [.red, .green, .blue]

    /// Runs `body` with a browser of three pictures, the first of which is on the screen.
    private func onScene(_ body: @MainActor (ScreenStage, PhotoBrowser) throws -> Void) throws {
        try onMainThread {
            let (stage, browser) = try scene()
            defer { stage.close() }
            try body(stage, browser)
        }
    }

    @MainActor
    private func scene() throws -> (stage: ScreenStage, browser: PhotoBrowser) {
        try requireDisplay()
        let browser = PhotoBrowser(
            photos: try Self.colours.map { Photo(image: try $0.image(width: 400, height: 300)) })
        browser.delayToHideElements = nil
        let stage = try ScreenStage(PixelSize(width: 400, height: 300), browser.widget, nil, self)
        iterate(until: { browser.pages.deck.current?.hasPicture == true }, "the picture is there")
        try expect(.red, on: stage)
        return (stage, browser)
    }

    /// The colour in the middle of the window.
    @MainActor
    private func expect(_ colour: Colour, on stage: ScreenStage) throws {
        iterate(
            until: { stage.grab().map { $0.colour(x: 200 * stage.scale, y: 150 * stage.scale) == colour } ?? false },
            "the colour \(colour) on the screen")
    }

    @MainActor
    private func surface(_ stage: ScreenStage) throws -> OpaquePointer {
        try XCTUnwrap(gtk_native_get_surface(OpaquePointer(stage.window)))
    }

    @MainActor
    private func point(_ stage: ScreenStage, _ x: Int, _ y: Int, _ button: guint = 0, down: Bool = false) throws {
        guard webimage_point(try surface(stage), gint(x), gint(y), button, down ? 1 : 0) != 0 else {
            throw XCTSkip("this display has no pointer for tests")
        }
        // GTK handles motion in the next frame.
        var frames = 0
        FrameTicks.next(of: stage.window) { frames += 1 }
        iterate(until: { frames > 0 }, "a frame")
    }

    @MainActor
    private func click(_ stage: ScreenStage, _ x: Int, _ y: Int) throws {
        try point(stage, x, y, 1, down: true)
        try point(stage, x, y, 1)
    }

    /// Waits until a turn to the second page has ended.
    @MainActor
    private func awaitSecondPage(_ browser: PhotoBrowser, file: StaticString = #filePath, line: UInt = #line) {
        iterate(
            until: { browser.currentIndex == 1 && browser.pages.deck.position.isAtRest }, "the second page", file: file,
            line: line)
    }

    /// Keys turn the pages, and the screen shows them.
    func testKeys() throws {
        try onScene { stage, browser in
            try pressOnScreen(GDK_KEY_Right, in: stage.window)
            awaitSecondPage(browser)
            try expect(.green, on: stage)
            try pressOnScreen(GDK_KEY_End, in: stage.window)
            iterate(until: { browser.currentIndex == 2 }, "the last page")
            try expect(.blue, on: stage)
        }
    }

    /// The wheel turns a page.
    func testWheel() throws {
        try onScene { stage, browser in
            try point(stage, 200, 150, 5, down: true)
            try point(stage, 200, 150, 5)
            awaitSecondPage(browser)
            try expect(.green, on: stage)
        }
    }

    /// MW-30 A drag turns the page; both are on the screen in the middle of it.
    func testDrag() throws {
        try onScene { stage, browser in
            try point(stage, 350, 150, 1, down: true)
            for x in stride(from: 340, through: 130, by: -10) { try point(stage, x, 150) }
            iterate(until: { browser.pages.deck.position.position > 0.4 }, "the page is dragged")
            XCTAssertFalse(browser.areControlsVisible)
            iterate(
                until: {
                    guard let pixels = stage.grab() else { return false }
                    return pixels.colour(x: 20, y: 150) == .red && pixels.colour(x: 390, y: 150) == .green
                }, "both pages are on the screen")
            try point(stage, 130, 150, 1)
            awaitSecondPage(browser)
            try expect(.green, on: stage)
        }
    }

    /// A second click in the same place, without a movement between them, does not reach the list below the browser.
    func testClickOnWhatIsCovered() throws {
        try onMainThread {
            try requireDisplay()
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            let image = try Colour.red.image(width: 400, height: 300)
            PictureView(picture).image = image
            let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
            gtk_overlay_set_child(OpaquePointer(overlay), picture)
            let browser = PhotoBrowser(photos: [Photo(image: image)])
            let clicks = Recorder<Bool>()
            let gesture: OpaquePointer = gtk_gesture_click_new()
            connect(gesture, "released") {
                clicks.append(true)
                browser.present(from: PictureView(picture))
            }
            gtk_widget_add_controller(picture, gesture)
            let stage = try ScreenStage(PixelSize(width: 400, height: 300), overlay, nil, self)
            defer { stage.close() }
            try click(stage, 200, 150)
            iterate(
                until: {
                    browser.isPresented && !browser.pages.flight.isRunning
                        && gtk_widget_get_width(browser.pages.stage) > 0
                },
                "the picture is on its page")
            XCTAssertNotEqual(webimage_click_again(try surface(stage)), 0)
            // Events come in order: the key after the click says that this has come.
            try pressOnScreen(GDK_KEY_c, in: stage.window)
            iterate(until: { !browser.areControlsVisible }, "the key has come")
            XCTAssertEqual(clicks.values.count, 1)
        }
    }

    /// After a click on a button the keys go to the pages; a button that a key has pressed keeps them.
    func testButtonAndKeys() throws {
        try onScene { stage, browser in
            let button = try XCTUnwrap(browser.panels.controls.button(of: .turn))
            @MainActor func focus() -> UnsafeMutablePointer<GtkWidget>? {
                gtk_window_get_focus(stage.window.of(GtkWindow.self))
            }
            gtk_widget_grab_focus(browser.panels.controls.button(of: .toggleFullScreen))
            let area = try XCTUnwrap(button.area(in: stage.window))
            let (x, y) = (Int(area.x + area.size.width / 2), Int(area.y + area.size.height / 2))
            try click(stage, x, y)
            iterate(until: { browser.pages.deck.current?.quarterTurns == 1 }, "the button is pressed")
            XCTAssertEqual(focus(), browser.pages.stage)
            try pressOnScreen(GDK_KEY_space, in: stage.window)
            awaitSecondPage(browser)
            gtk_widget_grab_focus(button)
            try pressOnScreen(GDK_KEY_space, in: stage.window)
            iterate(until: { browser.pages.deck.current?.quarterTurns == 1 }, "the button is pressed")
            XCTAssertEqual(focus(), button)
            XCTAssertEqual(browser.currentIndex, 1)
        }
    }

    /// MW-33 MW-34 A click hides the controls, and a double click zooms about the pointer.
    func testClicks() throws {
        try onScene { stage, browser in
            try click(stage, 200, 150)
            iterate(until: { !browser.areControlsVisible }, "the controls hide")
            let scale = try XCTUnwrap(browser.pages.deck.current?.zoom.scale)
            iterate(until: { browser.input?.hasPendingClick == false }, "the click is over")
            try assertStays(atX: 100, y: 100, of: browser, within: 1) {
                // On a slow machine, the second click comes late.
                stage.window.setSetting("gtk-double-click-time", to: 30_000)
                defer { stage.window.setSetting("gtk-double-click-time", to: 400) }
                for _ in 0..<2 { try click(stage, 100, 100) }
                iterate(
                    until: {
                        browser.pages.deck.current?.zoom.scale ?? 0 > scale && browser.input?.zooming.isRunning == false
                    }, "the picture is zoomed")
            }
        }
    }
}
