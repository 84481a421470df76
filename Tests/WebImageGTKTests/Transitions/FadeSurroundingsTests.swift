import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Fades during which the widget, the desktop or the app changes something.
final class FadeSurroundingsTests: TransitionTestCase, @unchecked Sendable {
    func testHidingTheWidgetEndsTheFade() throws {
        try onScreen { stage, test in
            startFade(stage, test, "a", .blue)
            gtk_widget_set_visible(stage.widgets[0], 0)
            assertEqual(stage.colour, .blue)
            XCTAssertFalse(stage.display.isAnimating)
        }
    }

    func testAnInvisibleWidgetShowsThePictureAtOnce() throws {
        try onStage { stage, test in
            stage.view.transitionFade(test.url("a"), placeholder: nil, test)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .blue)
        }
    }

    func testTheSettingAgainstAnimationsIsHonoured() throws {
        try onScreen { stage, test in
            stage.setAnimations(enabled: false)
            defer { stage.setAnimations(enabled: true) }
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image?.colour == .blue }, "the picture")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .blue)
        }
    }

    func testDestroyingTheWidgetDuringTheFadeIsHarmless() throws {
        try onScreen(pictures: 2) { stage, test in
            startFade(stage, test, "a", .blue)
            advance(stage, by: 100_000)
            weak let display = stage.display
            let ticks = stage.ticks
            stage.remove(stage.widgets[0])
            XCTAssertNil(display)
            drawFrames(3, of: stage.widgets[1])
            XCTAssertEqual(stage.ticks, ticks)
        }
    }

    /// A paintable that the app sets during a fade stays when the fade ends.
    func testThePaintableOfTheAppStays() throws {
        try onScreen { stage, test in
            startFade(stage, test, "a", .blue)
            let own = PaintableHandle(StillContent(try Colour.green.image()))
            gtk_picture_set_paintable(OpaquePointer(stage.widgets[0]), own.pointer)
            stage.time += 1_000_000
            iterate(until: { !stage.display.isAnimating }, "the end of the fade")
            assertEqual(stage.colour, .green)
            XCTAssertNil(stage.view.image)
        }
    }
}
