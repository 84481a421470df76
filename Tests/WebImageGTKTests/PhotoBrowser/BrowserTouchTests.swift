import CGtk4
import Foundation
import WebImage
import WebImageTestLoads
import XCTest

@testable import WebImageGTK

/// Fingers on a browser, as a display reports them.
final class BrowserTouchTests: GTKTestCase, @unchecked Sendable {
    /// Starts a display with a touch screen, and this class's other tests on it.
    func testOnATouchScreen() throws {
        guard !Touches.child.isHere else { return }
        try FileManager.default.createDirectory(
            atPath: String(cString: g_get_user_runtime_dir()), withIntermediateDirectories: true)
        var (port, server) = try Self.startDisplay()
        // Another program may have the port: then it has ended without a word.
        for _ in 0..<5 where server.greeting.isEmpty { (port, server) = try Self.startDisplay() }
        defer { server.stop() }
        let changes = ["GDK_BACKEND": "broadway", "BROADWAY_DISPLAY": ":\(port)", Touches.port: "\(port)"]
        try Touches.child.run(expecting: 6, environment: changes)
    }

    private static func startDisplay() throws -> (port: Int, server: TestServer) {
        let port = Int.random(in: 20_000..<30_000)
        let server = try TestServer(
            "/usr/bin/gtk4-broadwayd", ["--address", "127.0.0.1", "--port", "\(port)", ":\(port)"],
            package: "libgtk-4-bin")
        return (port, server)
    }

    /// MW-30 A finger swipes to the next page.
    func testSwipe() throws {
        try Touches.run(self) { stage, screen in
            screen.touch(.begin, x: 600, y: 300, at: 1000)
            for step in 1...10 { screen.touch(.update, x: 600 - 40 * step, y: 300, at: 1000 + UInt32(16 * step)) }
            iterate(until: { stage.deck.position.position > 0.4 }, "the page follows the finger")
            XCTAssertFalse(stage.deck.position.isAtRest)
            screen.touch(.end, x: 200, y: 300, at: 1170)
            iterate(until: { !stage.animator.running.isEmpty }, "the finger is gone")
            stage.animator.finishAll()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            XCTAssertTrue(stage.deck.position.isAtRest)
        }
    }

    /// MW-31 Two fingers zoom about their middle, and let go of a picture that is too small, which springs back.
    func testPinch() throws {
        try Touches.run(self) { stage, screen in
            let start = try XCTUnwrap(stage.page?.zoom)
            screen.touch(.begin, finger: 1, x: 250, y: 250, at: 1000)
            screen.touch(.begin, finger: 2, x: 350, y: 250, at: 1010)
            // One finger moves after the other, and with each their middle by five points.
            try assertStays(atX: 300, y: 250, of: stage.browser, within: 20) {
                for step in 1...10 {
                    screen.touch(.update, finger: 1, x: 250 - 10 * step, y: 250, at: 1010 + UInt32(16 * step))
                    screen.touch(.update, finger: 2, x: 350 + 10 * step, y: 250, at: 1018 + UInt32(16 * step))
                }
                iterate(until: { stage.page.map { $0.zoom.scale > 2.5 * start.scale } ?? false }, "the picture grows")
            }
            for step in 1...9 {
                screen.touch(.update, finger: 1, x: 150 + 15 * step, y: 250, at: 1200 + UInt32(16 * step))
                screen.touch(.update, finger: 2, x: 450 - 15 * step, y: 250, at: 1208 + UInt32(16 * step))
            }
            iterate(until: { stage.page.map { $0.zoom.scale < start.scale } ?? false }, "the picture shrinks")
            screen.touch(.end, finger: 2, x: 315, y: 250, at: 1400)
            screen.touch(.end, finger: 1, x: 285, y: 250, at: 1401)
            iterate(until: { !stage.animator.running.isEmpty }, "the picture springs back")
            stage.animator.finishAll()
            XCTAssertEqual(stage.page?.zoom.scale, start.scale)
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// MW-34 A tap hides the controls and shows them again.
    func testTap() throws {
        try Touches.run(self) { stage, screen in
            for (time, isVisible) in [(1000, false), (3000, true)] {
                tap(stage, screen, 400, 300, at: UInt32(time))
                stage.clock.advance(by: BrowserInput.clickDelay)
                XCTAssertEqual(stage.browser.areControlsVisible, isVisible)
                stage.clock.advance(by: .seconds(1))
            }
        }
    }

    /// MW-33 Two taps zoom about the finger, two more zoom back.
    func testDoubleTap() throws {
        try Touches.run(self) { stage, screen in
            let start = try XCTUnwrap(stage.page?.zoom)
            try assertStays(atX: 250, y: 200, of: stage.browser, within: 1) {
                doubleTap(stage, screen, 250, 200, at: 1000)
            }
            XCTAssertGreaterThan(try XCTUnwrap(stage.page?.zoom.scale), start.scale)
            stage.clock.advance(by: .seconds(1))
            doubleTap(stage, screen, 250, 200, at: 3000)
            XCTAssertEqual(stage.page?.zoom, start)
        }
    }

    @MainActor
    private func doubleTap(_ stage: BrowserStage, _ screen: TouchScreen, _ x: Int, _ y: Int, at time: UInt32) {
        tap(stage, screen, x, y, at: time)
        screen.touch(.begin, x: x, y: y, at: time + 100)
        screen.touch(.end, x: x, y: y, at: time + 120)
        iterate(until: { !stage.animator.running.isEmpty }, "the picture zooms")
        stage.animator.finishAll()
    }

    /// A finger that moves down takes the picture with it, and closes the browser when it lets go.
    func testSwipeDown() throws {
        try Touches.run(self, fromThumbnail: true) { stage, screen in
            screen.touch(.begin, x: 400, y: 200, at: 1000)
            for step in 1...10 { screen.touch(.update, x: 400, y: 200 + 30 * step, at: 1000 + UInt32(16 * step)) }
            iterate(until: { stage.browser.pages.flight.isDragging }, "the picture follows the finger")
            screen.touch(.end, x: 400, y: 500, at: 1170)
            iterate(until: { stage.app.takeEvents().contains("finish") }, "the browser asks to be closed")
        }
    }

    @MainActor
    private func tap(_ stage: BrowserStage, _ screen: TouchScreen, _ x: Int, _ y: Int, at time: UInt32) {
        screen.touch(.begin, x: x, y: y, at: time)
        screen.touch(.end, x: x, y: y, at: time + 20)
        iterate(until: { stage.browser.input?.hasPendingClick == true }, "the tap is seen")
    }
}

/// A browser with its first picture on a touch screen.
private enum Touches {
    static let child = ChildTest(name: "WebImageGTKTests.BrowserTouchTests")
    static let port = "WEBIMAGE_TEST_TOUCH_PORT"

    static func run(
        _ test: GTKTestCase, fromThumbnail: Bool = false, _ body: @MainActor (BrowserStage, TouchScreen) throws -> Void
    ) throws {
        guard child.isHere else { return }
        let port = try XCTUnwrap(ProcessInfo.processInfo.environment[port].flatMap { Int($0) })
        try test.onMainThread {
            try test.requireDisplay()
            let screen = try TouchScreen(port: port)
            let stage = try stage(fromThumbnail: fromThumbnail, test)
            defer { stage.close() }
            test.iterate(until: { screen.hasWindow }, "the window is on the screen")
            test.load(in: stage)
            stage.animator.finishAll()
            try body(stage, screen)
        }
    }

    /// A browser in a window that begins at (0, 0), because it has no shadow.
    @MainActor
    private static func stage(fromThumbnail: Bool, _ test: GTKTestCase) throws -> BrowserStage {
        guard fromThumbnail else {
            return try test.browserStage(3) { gtk_window_set_decorated($0.window.of(GtkWindow.self), 0) }
        }
        let stage = try test.presentingStage(thumbnails: 1) {
            gtk_window_set_decorated($0.window.of(GtkWindow.self), 0)
        }
        test.present(stage)
        return stage
    }
}
