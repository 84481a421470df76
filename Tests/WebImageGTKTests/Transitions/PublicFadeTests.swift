import CGtk4
import FoundationEssentials
import WebImage
import WebImageGTK
import XCTest

/// The fade as an app would write it itself. This file uses only the public API.
final class PublicFadeTests: GTKTestCase, @unchecked Sendable {
    /// S0-15
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
        }
    }

    @MainActor
    private func isMoving(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)) else { return false }
        return gdk_paintable_get_flags(paintable).rawValue & GDK_PAINTABLE_STATIC_CONTENTS.rawValue == 0
    }
}

extension PictureView {
    fileprivate func loadWithFadeOfOurOwn(_ url: URL, context: WebImageContext) {
        setImage(with: url, options: .lowPriority, context: context) { result in
            guard FadeTransition.applies(to: result) else { return }
            fadeFromPreviousContent(duration: .seconds(0.3), timing: .linear)
        }
    }
}
