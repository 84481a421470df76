import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The regular and early endings of a view's own transition, and its callbacks.
final class TransitionEndingTests: TransitionTestCase, @unchecked Sendable {
    /// TRN-10, OPT-25: the completion comes when the transition has ended.
    func testTheCompletionCanWaitForTheTransition() throws {
        try onScreen { stage, test in
            stage.view.imageTransition = .fade
            var wasAnimating: Bool?
            stage.view.setImage(with: test.url("a"), options: .waitTransition, context: test.context) { _ in
                wasAnimating = stage.display.isAnimating
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the transition")
            XCTAssertNil(wasAnimating)
            end(stage)
            XCTAssertEqual(wasAnimating, false)
        }
    }

    /// B47: the widget is invisible, or has no place for a picture: the completion is called all the same.
    func testACompletionThatCannotWaitComesAtOnce() throws {
        try onStage { stage, test in
            stage.view.imageTransition = .fade
            var endings = 0
            stage.view.setImage(with: test.url("a"), options: .waitTransition, context: test.context) { _ in
                endings += 1
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { endings == 1 }, "the completion of a hidden widget")

            let plain = PlainView(widget: stage.widgets[0])
            plain.setImage(with: test.url("b"), options: .waitTransition, context: test.context) { _ in endings += 1 }
            test.finish(test.url("b"), .blue)
            iterate(until: { endings == 2 }, "the completion of a place without a picture")
        }
    }

    /// T4.7, TRN-9, A11: after a cancellation during its transition, and a load under another key, a load calls
    /// nothing.
    func testATransitionThatIsOvertakenIsSilent() throws {
        try onScreen { stage, test in
            var endings: [Bool] = []
            var transition = WidgetTransition.fade
            transition.completion = { endings.append($0) }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            stage.view.cancelLatestImageLoad()
            var context = test.context
            context.operationKey = "another"
            stage.view.setImage(with: test.url("b"), context: context)
            test.finish(test.url("b"), .green)
            iterate(until: { stage.view.image?.colour == .green }, "the second picture")
            XCTAssertEqual(endings, [])
            end(stage)
            XCTAssertEqual(endings, [true])
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// The widget is destroyed during its transition: it is hidden first, which ends the transition. After that neither
    /// calls anything.
    func testTheWidgetGoesDuringItsTransition() throws {
        try onScreen(pictures: 2) { stage, test in
            var story: [String] = []
            var transition = WidgetTransition.fade
            transition.animations = { _, _ in
                TransitionContext.current?.onFrame { if $0 == 1 { story.append("last frame") } }
            }
            transition.completion = { story.append("finished \($0)") }
            stage.view.imageTransition = transition
            stage.view.setImage(with: test.url("a"), options: .waitTransition, context: test.context) {
                story.append($0.isCancelled ? "cancelled" : "brought")
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the transition")
            weak let display = stage.display
            stage.remove(stage.widgets[0])
            XCTAssertEqual(story, ["last frame", "finished true", "brought"])
            XCTAssertNil(display)
        }
    }

    /// TRN-4: false for a transition that the app interrupts by another picture, true for one that is hidden.
    func testWhatTheAppSetsDuringATransitionInterruptsIt() throws {
        try onScreen { stage, test in
            var endings: [Bool] = []
            var transition = WidgetTransition.fade
            transition.completion = { endings.append($0) }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            stage.view.image = try Colour.green.image()
            XCTAssertEqual(endings, [false])
            XCTAssertEqual(stage.colour, .green)
            begin(stage, test, "b")
            gtk_widget_set_visible(stage.widgets[0], 0)
            XCTAssertEqual(endings, [false, true])
        }
    }

    /// VIEW-2, S1-3: a widget that the app fills gets every frame of its transition.
    func testAnOwnWidgetIsToldOfEveryFrame() throws {
        try onScreen { stage, test in
            let view = PlainView(widget: stage.widgets[0])
            view.display?.time = { _ in stage.time }
            var transition = WidgetTransition.custom(.crossDissolve, duration: .seconds(1))
            transition.timingFunction = .linear
            var story: [String] = []
            transition.animations = { _, _ in
                TransitionContext.current?.onFrame { story.append("frame \($0)") }
            }
            transition.completion = { story.append("finished \($0)") }
            view.imageTransition = transition
            view.setImage(
                with: test.url("a"), context: test.context,
                setImage: { image, _, _, _ in story.append(image == nil ? "clears" : "sets") })
            test.finish(test.url("a"), .blue)
            iterate(until: { view.display?.isAnimating == true }, "the transition")
            iterate(until: { story.contains("frame 0.0") }, "the first frame")
            stage.time += 500_000
            iterate(until: { story.contains("frame 0.5") }, "the middle")
            stage.time += 600_000
            iterate(until: { view.display?.isAnimating == false }, "the end")
            XCTAssertEqual(story.prefix(2), ["clears", "sets"])
            XCTAssertEqual(story.suffix(2), ["frame 1.0", "finished true"])
        }
    }
}

/// A view that only the app can fill.
private struct PlainView: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget>
    var slot: PictureSlot { PictureSlot(operationKey: "plain") }
}
