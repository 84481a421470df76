import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Browsers that are all of a window, from their layout to their first picture.
extension GTKTestCase {
    /// A browser that is laid out, and has loaded nothing yet.
    ///
    /// - Parameters:
    ///   - count: The number of photos, each with an address.
    ///   - configure: Changes the stage before the browser is on the screen.
    @MainActor
    func browserStage(
        _ count: Int = 5, _ configure: @MainActor (BrowserStage) throws -> Void = { _ in }
    ) throws -> BrowserStage {
        try requireDisplay()
        let stage = BrowserStage(count)
        try configure(stage)
        stage.embed()
        iterate(
            until: { stage.app.photos.isEmpty ? stage.deck.view.width > 0 : stage.isReady }, "the browser is laid out")
        return stage
    }

    /// Runs `body` with a browser that is laid out, and has loaded nothing yet.
    func onBrowser(
        _ count: Int = 5, _ configure: @MainActor (BrowserStage) throws -> Void = { _ in },
        test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onMainThread {
            let stage = try browserStage(count, configure)
            defer { stage.close() }
            try body(stage)
        }
    }

    /// Runs `body` with a browser of four photos, whose first is there and as large as said, and its input.
    func onFirstPicture(
        width: Int = 1600, height: Int = 900, _ configure: @MainActor (BrowserStage) throws -> Void = { _ in },
        test body: @MainActor (BrowserStage, BrowserInput) throws -> Void
    ) throws {
        try onBrowser(4, configure) { stage in
            load(0, in: stage, width: width, height: height)
            try body(stage, try XCTUnwrap(stage.browser.input))
        }
    }

    /// Waits until a photo is being loaded.
    @MainActor
    func awaitLoad(of index: Int = 0, in stage: BrowserStage, file: StaticString = #filePath, line: UInt = #line) {
        iterate(until: { !stage.pending(index).isEmpty }, "photo \(index) is being loaded", file: file, line: line)
    }

    /// Brings a photo that is being loaded, or will be, and waits until its page has it.
    @MainActor
    func load(
        _ index: Int = 0, in stage: BrowserStage, _ colour: Colour = .red, width: Int = 1600, height: Int = 900,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        awaitLoad(of: index, in: stage, file: file, line: line)
        stage.finish(index, colour, width: width, height: height)
        iterate(
            until: { stage.deck.pages[index]?.hasPicture == true }, "photo \(index) is there", file: file, line: line)
    }

    /// Runs `body`, which zooms, and asserts that the point of the picture at a point of the view stays there.
    ///
    /// - Parameter points: How far it may be from there.
    @MainActor
    func assertStays(
        atX x: Double, y: Double, of browser: PhotoBrowser, within points: Double = 1e-6,
        file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void
    ) throws {
        let before = try XCTUnwrap(browser.pages.deck.current?.zoom.frame, file: file, line: line)
        try body()
        let after = try XCTUnwrap(browser.pages.deck.current?.zoom.frame, file: file, line: line)
        let factor = after.size.width / before.size.width
        XCTAssertNotEqual(factor, 1, "nothing was zoomed", file: file, line: line)
        XCTAssertEqual(after.x + (x - before.x) * factor, x, accuracy: points, file: file, line: line)
        XCTAssertEqual(after.y + (y - before.y) * factor, y, accuracy: points, file: file, line: line)
    }

    /// Waits until the current page says that its photo could not be loaded.
    @MainActor
    func awaitComplaint(in stage: BrowserStage, file: StaticString = #filePath, line: UInt = #line) {
        iterate(
            until: { if case .failed = stage.browser.pages.status.content { true } else { false } },
            "the complaint is shown", file: file, line: line)
    }
}

extension BrowserStage {
    /// The current index when all animations have come to their end.
    func settledIndex() -> Int {
        animator.finishAll()
        return browser.currentIndex
    }

    /// Zooms the current picture, to the end of the animation, and returns its frame.
    func zoom(by factor: Double) throws -> PointRect {
        browser.input?.zoom(by: factor)
        animator.finish()
        return try XCTUnwrap(page?.zoom.frame)
    }

    /// The text that the browser tells the person for some seconds; nil for none.
    var notice: String? {
        let label = browser.pages.status.notice
        guard gtk_widget_get_visible(label) != 0 else { return nil }
        return String(cString: gtk_label_get_text(OpaquePointer(label)))
    }

    /// The widget of the window that has the keyboard.
    var focus: UnsafeMutablePointer<GtkWidget>? { gtk_window_get_focus(window.of(GtkWindow.self)) }
}

@MainActor
extension BrowserInput {
    /// Presses a key, and says whether the browser has taken it.
    func press(_ key: Int32, _ modifiers: GdkModifierType = GdkModifierType(rawValue: 0)) -> Bool {
        press(BrowserKey(guint(key), modifiers))
    }

    /// A whole drag: a finger that is at each place at its time in seconds, and lets go at the last one.
    func drag(_ places: (x: Double, y: Double, time: Double)...) {
        beginDrag()
        for place in places { updateDrag(place.x, place.y, at: place.time) }
        if let last = places.last { endDrag(last.x, last.y) }
    }

    /// Begins a drag and moves the finger to a place.
    func beginDrag(to x: Double, _ y: Double, at time: Double) {
        beginDrag()
        updateDrag(x, y, at: time)
    }
}
