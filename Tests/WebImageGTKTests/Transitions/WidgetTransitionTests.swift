import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A view's own transition in a real window, whose clock the test moves.
final class WidgetTransitionTests: TransitionTestCase, @unchecked Sendable {
    private static let presets: [WidgetTransition] = [
        .fade, .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown,
    ]

    /// T4.7, S1-1, S4-6: each preset is set in one line, and runs right after the completion for a picture from the
    /// network.
    func testEveryPresetRunsForAPictureFromTheNetwork() throws {
        try onScreen { stage, test in
            for (number, preset) in Self.presets.enumerated() {
                stage.view.imageTransition = preset
                var isAnimating: Bool?
                stage.view.setImage(with: test.url("\(number)"), options: .delayPlaceholder, context: test.context) {
                    _ in
                    isAnimating = stage.display.isAnimating
                }
                test.finish(test.url("\(number)"), number.isMultiple(of: 2) ? .blue : .green)
                iterate(until: { isAnimating != nil }, "the picture")
                XCTAssertEqual(isAnimating, true)
                end(stage)
                XCTAssertEqual(stage.colour, number.isMultiple(of: 2) ? .blue : .green)
            }
        }
    }

    /// T4.7, TRN-8, S4-8: a picture from the disk has the transition, one from memory only where that is forced.
    func testAPictureFromTheDiskGetsItAndOneFromMemoryWhenForced() throws {
        try onScreen { stage, test in
            stage.view.imageTransition = .fade
            test.cache.put(Colour.blue.file, for: CacheKey(test.url("a").absoluteString))
            stage.view.setImage(with: test.url("a"), context: test.context)
            iterate(until: { stage.display.isAnimating }, "the transition")
            end(stage)
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertFalse(stage.display.isAnimating)
            XCTAssertEqual(stage.colour, .blue)
            stage.view.setImage(with: test.url("a"), options: .forceTransition, context: test.context)
            XCTAssertTrue(stage.display.isAnimating)
            XCTAssertEqual(test.loader.loads.count, 0)
        }
    }

    /// A transition that is passed to a load is used for that load, in place of the view's.
    func testALoadMayHaveATransitionOfItsOwn() throws {
        try onScreen { stage, test in
            for (number, transition) in [WidgetTransition.fade(duration: .seconds(2)), nil].enumerated() {
                var hasEnded = false
                stage.view.setImage(
                    with: test.url("\(number)"), transition: transition, context: test.context
                ) { _ in hasEnded = true }
                test.finish(test.url("\(number)"), .blue)
                iterate(until: { hasEnded || stage.display.isAnimating }, "the picture")
                XCTAssertEqual(stage.display.isAnimating, transition != nil)
                end(stage)
            }
            XCTAssertNil(stage.view.imageTransition)
        }
    }

    /// S1-15, A90: a duration that is passed to the preset, or set afterwards, is the transition's.
    func testADurationOfTheAppIsKept() throws {
        try onScreen { stage, test in
            var slow = WidgetTransition.fade
            slow.duration = .seconds(2)
            for (number, transition) in [slow, .fade(duration: .seconds(2))].enumerated() {
                stage.view.imageTransition = transition
                begin(stage, test, "\(number)")
                stage.time += 1_900_000
                drawFrames(stage)
                XCTAssertTrue(stage.display.isAnimating)
                stage.time += 200_000
                iterate(until: { !stage.display.isAnimating }, "the end")
            }
            XCTAssertEqual(WidgetTransition.fade.duration, .seconds(0.5))
        }
    }

    /// C9: a load that begins during a transition starts from the current frame.
    func testAnotherPictureStartsFromWhatIsSeen() throws {
        try onScreen { stage, test in
            stage.view.image = try Colour.red.image()
            var transition = WidgetTransition.fade(duration: .seconds(1))
            transition.timingFunction = .linear
            stage.view.imageTransition = transition
            begin(stage, test, "a", .delayPlaceholder)
            stage.time += 500_000
            drawFrames(stage)
            let seen = Colour(red: 128, green: 0, blue: 128)
            assertEqual(stage.colour, seen)
            begin(stage, test, "b", .delayPlaceholder)
            assertEqual(stage.colour, seen)
            end(stage)
        }
    }

    /// A cached picture that is refreshed shows as the view shows preliminary ones: at once, or gradually.
    func testAPreliminaryPictureCanComeGradually() throws {
        try onScreen { stage, test in
            XCTAssertEqual(stage.view.progressiveDisplay, .topToBottom)
            test.cache.put(Colour.blue.file, for: CacheKey(test.url("a").absoluteString))
            for display in [ProgressiveDisplay.topToBottom, .blurToSharp(duration: .seconds(0.3))] {
                stage.view.progressiveDisplay = display
                stage.view.setImage(with: test.url("a"), options: .refreshCached, context: test.context)
                iterate(until: { stage.view.image != nil }, "the cached picture")
                XCTAssertEqual(stage.display.isAnimating, display != .topToBottom)
                stage.view.cancelCurrentImageLoad()
                stage.view.image = nil
            }
        }
    }

    /// S1-3, S0-13: the other way to an effect of the app's own: the load passes the picture to the app, which animates
    /// it.
    func testTheCompletionMayAnimateThePictureItself() throws {
        try onScreen { stage, test in
            let view = stage.view
            view.imageTransition = .fade
            var hasEnded = false
            view.setImage(with: test.url("a"), options: .avoidAutoSetImage, context: test.context) { result in
                hasEnded = true
                view.image = (try? result.get())?.image
                view.alpha = 0
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded }, "the picture")
            XCTAssertFalse(stage.display.isAnimating, "the view leaves it alone")
            XCTAssertEqual(stage.colour.alpha, 0)
            for step in 1...4 { view.alpha = Double(step) / 4 }
            XCTAssertEqual(stage.colour, .blue)
        }
    }
}
