import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The menu of actions, other than to save.
final class BrowserActionsTests: GTKTestCase, @unchecked Sendable {
    /// Red on the left, blue on the right.
    private func picture() throws -> Image {
        let pixels = (0..<40 * 30).flatMap { place -> [UInt8] in place % 40 < 20 ? [255, 0, 0, 255] : [0, 0, 255, 255] }
        return Image(bitmap: try Bitmap(size: PixelSize(width: 40, height: 30), pixels: pixels))
    }

    /// MW-40 The clipboard gets the picture with all of its pixels, turned as it is on its page.
    func testCopy() throws {
        let picture = try picture()
        try onBrowser(1) {
            $0.app.photos[0] = Photo(image: picture)
        } test: { stage in
            iterate(until: { stage.page?.hasPicture == true }, "the photo is there")
            stage.browser.perform(.turn)
            stage.browser.copyCurrentPhoto()
            iterate(until: { stage.notice == "Copied" }, "the photo is copied")
            let copied = try clipboardPicture(of: stage.browser.widget)
            guard copied.size == PixelSize(width: 30, height: 40) else { return XCTFail("\(copied.size)") }
            XCTAssertEqual([5, 35].map { copied.colour(x: 15, y: $0) }, [.red, .blue])
        }
    }

    /// The text that a program would paste.
    @MainActor
    private func clipboardPicture(of widget: UnsafeMutablePointer<GtkWidget>) throws -> Pixels {
        let answer = Recorder<Pixels?>()
        gdk_clipboard_read_texture_async(
            gtk_widget_get_clipboard(widget), nil,
            { source, result, data in
                guard let data else { return }
                let answer = Unmanaged<Recorder<Pixels?>>.fromOpaque(data).takeRetainedValue()
                guard let texture = gdk_clipboard_read_texture_finish(OpaquePointer(source), result, nil) else {
                    return answer.append(nil)
                }
                defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
                answer.append(MainActor.assumeIsolated { Pixels(of: texture) })
            }, Unmanaged.passRetained(answer).toOpaque())
        iterate(until: { !answer.values.isEmpty }, "the clipboard has answered")
        return try XCTUnwrap(answer.values.first ?? nil)
    }

    /// MW-40 What takes longer than two seconds says that it is being prepared, until it is done.
    func testPreparing() throws {
        try onBrowser(1) {
            // Nothing keeps its file.
            $0.app.photos[0].context.storeCacheType = .memory
            $0.app.photos[0].context.originalStoreCacheType = .noCache
        } test: { stage in
            load(in: stage)
            stage.browser.copyCurrentPhoto()
            awaitLoad(in: stage)
            stage.clock.advance(by: .milliseconds(1999))
            XCTAssertNil(stage.notice)
            stage.clock.advance(by: .milliseconds(1))
            XCTAssertEqual(stage.notice, "Preparing")
            stage.clock.advance(by: .seconds(60))
            XCTAssertEqual(stage.notice, "Preparing")
            stage.finish(0)
            iterate(until: { stage.notice == "Copied" }, "the photo is copied")
            stage.clock.advance(by: .seconds(3))
            XCTAssertNil(stage.notice)
        }
    }

    /// MW-40 An open menu keeps the controls, whose time begins anew when it is closed.
    func testTimeAfterTheMenu() throws {
        try onMainThread { try requireSeat() }
        try onFirstPicture { stage, _ in
            iterate(until: { stage.browser.panels.controls.content.canAct }, "the button is enabled")
            stage.clock.advance(by: .seconds(4))
            stage.browser.perform(.action)
            let button = try XCTUnwrap(stage.browser.panels.controls.button(of: .action))
            let popover = try XCTUnwrap(button.children.last)
            iterate(until: { gtk_widget_get_mapped(popover) != 0 }, "the menu is open")
            stage.clock.advance(by: .seconds(60))
            XCTAssertTrue(stage.browser.areControlsVisible)
            gtk_popover_popdown(popover.of(GtkPopover.self))
            iterate(until: { stage.browser.panels.menu == nil }, "the menu is closed")
            stage.clock.advance(by: .milliseconds(4999))
            XCTAssertTrue(stage.browser.areControlsVisible)
            stage.clock.advance(by: .milliseconds(1))
            XCTAssertFalse(stage.browser.areControlsVisible)
        }
    }

    /// MW-40 The printed page has the picture with all of its pixels; a place that cannot be written is said.
    func testPrint() throws {
        let picture = try picture()
        try onBrowser(1) { stage in
            let file = URL.temporaryDirectory.appending(path: "printed-\(UUID().uuidString).pdf")
            defer { try? FileManager.default.removeItem(at: file) }
            var problems: [String] = []
            PhotoPrint.run(picture, over: stage.browser.widget, into: file.path) { problems.append($0) }
            XCTAssertEqual(problems, [])
            let text = PDFText.text(of: try Data(contentsOf: file))
            XCTAssertTrue(text.hasPrefix("%PDF-"))
            XCTAssertTrue(text.contains("/Width 40") && text.contains("/Height 30"), "there is no picture")
            XCTAssertTrue(text.contains("/Count 1"), "there is more than a page")
            PhotoPrint.run(picture, over: stage.browser.widget, into: "/nowhere/photo.pdf") { problems.append($0) }
            XCTAssertTrue(problems.first?.hasPrefix("The photo was not printed: ") == true, "\(problems)")
        }
    }
}
