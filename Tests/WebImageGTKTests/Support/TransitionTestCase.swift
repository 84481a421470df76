import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Shared by the tests of transitions in a real window, whose clock the test moves.
class TransitionTestCase: GTKTestCase, @unchecked Sendable {
    /// Moves the clock and draws two frames; the second one is certain to begin after the move.
    @MainActor
    func advance(_ stage: Stage, by microseconds: Int64) {
        stage.time += microseconds
        let ticks = stage.ticks
        iterate(until: { stage.ticks >= ticks + 2 }, "two frames")
    }

    /// The same for a transition that may have ended.
    @MainActor
    func drawFrames(_ stage: Stage) {
        let ticks = stage.ticks
        iterate(until: { stage.ticks >= ticks + 2 || !stage.display.isAnimating }, "two frames")
    }

    /// A fade from nothing to `colour`, at its first frame.
    @MainActor
    func startFade(_ stage: Stage, _ test: TestStage, _ name: String, _ colour: Colour) {
        stage.view.transitionFade(test.url(name), placeholder: nil, test)
        test.finish(test.url(name), colour)
        iterate(until: { stage.display.isAnimating }, "the fade")
        advance(stage, by: 0)
    }

    /// A fade from the view's current content, at its first frame.
    @MainActor
    func fadeInPlace(_ stage: Stage, _ test: TestStage, _ name: String, _ colour: Colour) {
        stage.view.setImage(with: test.url(name), options: .delayPlaceholder, context: test.context) { _ in
            stage.view.fadeFromPreviousContent()
        }
        test.finish(test.url(name), colour)
        iterate(until: { stage.view.image?.colour == colour }, "the picture")
        advance(stage, by: 0)
    }

    /// A blue picture, at the first frame of the view's transition.
    @MainActor
    func begin(_ stage: Stage, _ test: TestStage, _ name: String, _ options: WebImageOptions = []) {
        var hasEnded = false
        stage.view.setImage(with: test.url(name), options: options, context: test.context) { _ in hasEnded = true }
        test.finish(test.url(name), .blue)
        iterate(until: { hasEnded && stage.display.isAnimating }, "the transition")
        drawFrames(stage)
    }

    /// Lets the transition run to its end.
    @MainActor
    func end(_ stage: Stage) {
        drawFrames(stage)
        stage.time += 5_000_000
        iterate(until: { !stage.display.isAnimating }, "the end of the transition")
    }

    /// Asserts that the plain picture shows, and that no callback on the frame clock remains.
    @MainActor
    func assertNothingIsLeft(_ stage: Stage, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertFalse(stage.display.isAnimating, file: file, line: line)
        if let paintable = gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])) {
            let isStill = gdk_paintable_get_flags(paintable).rawValue & GDK_PAINTABLE_STATIC_CONTENTS.rawValue != 0
            XCTAssertTrue(isStill, "the paintable still moves", file: file, line: line)
        }
        let ticks = stage.ticks
        drawFrames(3, of: stage.widgets[0])
        XCTAssertEqual(stage.ticks, ticks, "a callback is left", file: file, line: line)
    }
}

extension Stage {
    /// The display of the first picture.
    var display: PaintableDisplay { Coordinator.of(widgets[0]).display }
}

extension PictureView {
    /// The public call, with the test's manager instead of the shared one.
    func transitionFade(_ url: URL, placeholder: Image?, _ test: TestStage) {
        transitionFadeLoadImage(url, placeholder: placeholder, context: test.context)
    }
}
