import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Browsers that are presented from views of other widgets than pictures.
final class BrowserFromViewsTests: GTKTestCase, @unchecked Sendable {
    /// Shows `widget`, whose view gets a blue picture, at the top left of a window; presents a browser from the view.
    ///
    /// - Parameter part: The widget that draws the picture.
    @MainActor
    private func present(
        from widget: UnsafeMutablePointer<GtkWidget>, _ view: any WidgetView,
        part: () -> UnsafeMutablePointer<GtkWidget>?
    ) throws {
        let stage = try presentingStage(1, thumbnails: 0)
        defer { stage.close() }
        gtk_widget_set_halign(widget, GTK_ALIGN_START)
        gtk_widget_set_valign(widget, GTK_ALIGN_START)
        view.image = try Colour.blue.image(width: 20, height: 20)
        let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_box_append(row.of(GtkBox.self), widget)
        stage.show(row)
        iterate(until: { gtk_widget_get_width(widget) > 0 && gtk_widget_get_mapped(widget) != 0 }, "it is seen")
        drawFrames(2, of: stage.window)
        let part = try XCTUnwrap(part())
        XCTAssertLessThan(gtk_widget_get_width(part), gtk_widget_get_width(widget))
        stage.browser.present(from: view)
        iterate(until: { gtk_widget_get_width(stage.browser.pages.stage) > 0 }, "the browser is laid out")
        let place = try XCTUnwrap(stage.browser.pages.flight.pose?.place)
        let area = try XCTUnwrap(part.area(in: stage.browser.pages.stage))
        let side = min(area.size.width, area.size.height)
        XCTAssertEqual(place.frame.size, PointSize(width: side, height: side))
        XCTAssertEqual(place.frame.x, area.x + (area.size.width - side) / 2, accuracy: 0.5)
        XCTAssertEqual(gtk_widget_get_opacity(part), 0)
        XCTAssertEqual(gtk_widget_get_opacity(widget), 1, "what else it shows stays")
        stage.animator.finish()
        stage.browser.dismiss()
        stage.animator.finishAll()
        XCTAssertEqual(gtk_widget_get_opacity(part), 1)
    }

    /// The picture of a button flies, and its label stays.
    func testButton() throws {
        try onMainThread {
            try requireDisplay()
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("A long label of a button")
            let view = ButtonView(button)
            try present(from: button, view) { view.imageWidget }
        }
    }

    /// The icon of an entry flies, and its text stays.
    func testEntry() throws {
        try onMainThread {
            try requireDisplay()
            let entry: UnsafeMutablePointer<GtkWidget> = gtk_entry_new()
            let holder = EntryIconHolder(widget: entry, position: .primary)
            try present(from: entry, EntryIconView(entry, at: .primary)) { holder.iconWidget }
        }
    }

    /// MW-15 An index beyond the last photo is that of the last one, also before the browser is seen: its thumbnail flies.
    func testIndexOutOfRange() throws {
        try onThumbnails { stage in
            stage.browser.setCurrentPhotoIndex(99)
            stage.app.views[2] = PictureView(stage.thumbnails[1])
            stage.browser.present(from: PictureView(stage.thumbnails[1]))
            iterate(until: { gtk_widget_get_width(stage.browser.pages.stage) > 0 }, "the browser is laid out")
            XCTAssertEqual(stage.browser.currentIndex, 2)
            XCTAssertNotNil(stage.browser.screen.thumbnail(at: 2))
            XCTAssertTrue(stage.browser.pages.flight.isRunning)
        }
    }

    /// MW-15 The index can be set before the number of photos is known, and is right when it is.
    func testIndexOfFewPhotos() throws {
        try onThumbnails { stage in
            stage.app.photos = []
            stage.browser.setCurrentPhotoIndex(99)
            XCTAssertEqual(stage.browser.numberOfPhotos, 0)
            XCTAssertEqual(stage.browser.currentIndex, 0)
        }
    }

    /// A browser that its presentation holds alone can be swiped away before there is a picture to fly.
    func testSwipeOfTheLastReference() throws {
        try onThumbnails { stage in
            let live = LiveReferences()
            var browser: PhotoBrowser? = PhotoBrowser(
                list: PhotoList([Photo(.empty)]), dataSource: nil, clock: stage.clock, animator: stage.animator)
            live.watch(browser)
            browser?.presentWindow(over: stage.window.of(GtkWindow.self))
            let (input, view) = (try XCTUnwrap(browser?.input), try XCTUnwrap(browser?.pages.stage))
            iterate(until: { gtk_widget_get_width(view) > 0 }, "it is seen")
            browser = nil
            XCTAssertEqual(live.count, 1)
            input.beginDrag(to: 0, 300, at: 1)
            input.endDrag(0, 300, at: 1.1)
            iterate(until: { live.count == 0 }, "it is closed and freed")
        }
    }

    /// Keys zoom about the pointer, and about the middle where the pointer is elsewhere.
    func testKeysZoomAboutThePointer() throws {
        try onFirstPicture { stage, input in
            for point in [(x: 400.0, y: 300.0), (x: 600.0, y: 200.0)] {
                if point.x != 400 { input.movePointer(point.x, point.y) }
                for key in [GDK_KEY_plus, GDK_KEY_plus, GDK_KEY_minus, GDK_KEY_1] {
                    let before = try XCTUnwrap(stage.page).zoom
                    _ = input.press(BrowserKey(guint(key), GdkModifierType(0)))
                    stage.animator.finishAll()
                    let after = try XCTUnwrap(stage.page).zoom
                    XCTAssertNotEqual(before.scale, after.scale)
                    var goal = before
                    goal.zoom(to: after.scale, atX: point.x, y: point.y)
                    XCTAssertEqual(goal.frame.x, after.frame.x, accuracy: 0.01)
                    XCTAssertEqual(goal.frame.y, after.frame.y, accuracy: 0.01)
                }
                _ = input.press(BrowserKey(guint(GDK_KEY_0), GdkModifierType(0)))
                stage.animator.finishAll()
            }
        }
    }

    /// MW-44 A video that cannot be played says why, after a second.
    func testVideoThatFails() throws {
        try onBrowser(1) {
            $0.app.photos[0] = Photo(.video(url: { URL(filePath: "/nowhere/film.webm") }, poster: nil))
        } test: { stage in
            press(stage.browser.pages.status.playButton)
            iterate(until: { stage.notice != nil }, "a notice")
            XCTAssertTrue(stage.notice?.contains("cannot be played: ") == true, stage.notice ?? "")
            XCTAssertNil(stage.browser.pages.video)
        }
    }
}
