import CGtk4
import Foundation
import WebImage
import WebImageGTK
import XCTest

/// The fade as an app would write it itself.
final class PublicFadeTests: GTKTestCase, @unchecked Sendable {
    /// S0-15: a picture from the network fades in, and one from a cache shows at once.
    func testTheFadeNeedsNothingButPublicCalls() throws {
        try onStage { stage, test in
            stage.show()
            let widget = stage.widgets[0]
            iterate(until: { stage.isOnScreen }, "the window")

            PictureView(widget).loadWithFadeOfOurOwn(test.url("a"), context: test.context)
            test.finish(test.url("a"), .blue)
            iterate(until: { self.isMoving(widget) }, "the fade")
            stage.time += 1
            iterate(until: { stage.ticks > 1 }, "a frame")
            stage.time += 300_000
            iterate(until: { !self.isMoving(widget) }, "the end of the fade")
            XCTAssertEqual(PictureView(widget).image?.colour, .blue)

            PictureView(widget).image = nil
            PictureView(widget).loadWithFadeOfOurOwn(test.url("a"), context: test.context)
            XCTAssertEqual(PictureView(widget).image?.colour, .blue)
            XCTAssertFalse(isMoving(widget))
        }
    }

    /// S0-15: the tests are in the library's package, so that the compiler lets its inner types pass.
    func testTheFadeNamesNoTypeOfThePackage() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let sources = tests.appending(path: "../../../Sources").standardizedFileURL
        let pattern = #/package (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
        var inner: Set<String> = []
        for case let file as URL in try XCTUnwrap(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: pattern) { inner.insert(String(match.output.1)) }
        }
        XCTAssertTrue(inner.contains("FadeTransition"))
        let own = try String(contentsOf: tests.appending(path: "OwnFade.swift"), encoding: .utf8)
        XCTAssertFalse(own.contains("@testable"))
        XCTAssertEqual(inner.intersection(own.matches(of: #/\w+/#).map { String($0.output) }), [])
    }

    @MainActor
    private func isMoving(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)) else { return false }
        return gdk_paintable_get_flags(paintable).rawValue & GDK_PAINTABLE_STATIC_CONTENTS.rawValue == 0
    }
}
