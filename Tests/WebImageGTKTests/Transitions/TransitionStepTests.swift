import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The steps of a view's own transition: preparation, timing, and options.
final class TransitionStepTests: TransitionTestCase, @unchecked Sendable {
    /// S4-7, S1-2, S1-5: `prepares` rotates the picture by half a turn, `animations` rotates it back.
    func testThePictureTurnsFromWhatPreparesHasMade() throws {
        try onScreen { stage, test in
            var transition = WidgetTransition()
            var story: [String] = []
            transition.animationOptions = .allowsImplicitAnimation
            transition.prepares = { view, image, data, cacheType, url in
                view.transform = ViewTransform(rotation: .pi)
                view.alpha = 0
                story.append("prepares \(image != nil) \(data != nil) \(cacheType) \(url?.lastPathComponent ?? "-")")
            }
            transition.animations = { view, image in
                view.transform = .identity
                view.alpha = 1
                story.append("animates \(image != nil) for \(TransitionContext.current?.duration ?? .zero)")
            }
            transition.completion = { story.append("finished \($0)") }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            XCTAssertEqual(story, ["prepares true true no cache a", "animates true for 0.5 seconds"])
            XCTAssertEqual(stage.colour.alpha, 0)
            XCTAssertNil(TransitionContext.current)
            end(stage)
            XCTAssertEqual(story.last, "finished true")
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(stage.view.transform, .identity)
        }
    }

    /// S4-7: the article's own lines: a preset whose `prepares` turns the view, and whose `animations` turns it back.
    func testAPresetAnimatesWhatTheAppChanges() throws {
        try onScreen { stage, test in
            var transition = WidgetTransition.fade
            transition.timingFunction = .linear
            transition.prepares = { view, image, imageData, cacheType, imageURL in
                view.transform = ViewTransform(rotation: .pi)
                view.alpha = 0
            }
            transition.animations = { view, image in
                view.transform = .identity
                view.alpha = 1
            }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            XCTAssertEqual(stage.display.appearances.seen.transform.rotation, .pi, accuracy: 1e-9)
            XCTAssertEqual(stage.colour.alpha, 0)
            stage.time += 250_000
            drawFrames(stage)
            XCTAssertEqual(stage.display.appearances.seen.transform.rotation, .pi / 2, accuracy: 1e-9)
            XCTAssertEqual(stage.display.appearances.seen.alpha, 0.5, accuracy: 1e-9)
            end(stage)
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(stage.view.transform, .identity)
        }
    }

    /// S1-8, TRN-5: without a timing function, with ease in and out; otherwise with the function.
    func testTheTimingFunctionIsThatOfTheTransition() throws {
        try onScreen { stage, test in
            let cases: [(TimingFunction, UInt8)] = [(WidgetTransition.fade.timingFunction, 33), (.linear, 64)]
            for (number, (timing, share)) in cases.enumerated() {
                stage.view.image = try Colour.red.image()
                var transition = WidgetTransition.fade
                transition.timingFunction = timing
                stage.view.imageTransition = transition
                begin(stage, test, "\(number)", .delayPlaceholder)
                stage.time += 125_000
                drawFrames(stage)
                assertEqual(stage.colour, Colour(red: 255 - share, green: 0, blue: share))
                end(stage)
            }
        }
    }

    /// S1-2: the animations can read the transition's settings.
    func testTheAnimationsCanReadHowTheyAreAnimated() throws {
        try onScreen { stage, test in
            var seen: [(Duration, TimingFunction, Bool)] = []
            var transition = WidgetTransition.fade
            transition.animations = { _, _ in
                guard let context = TransitionContext.current else { return XCTFail("there is no context") }
                seen.append((context.duration, context.timingFunction, context.allowsImplicitAnimation))
            }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            end(stage)
            transition.duration = .seconds(2)
            transition.timingFunction = .easeOut
            transition.animationOptions.remove(.allowsImplicitAnimation)
            stage.view.imageTransition = transition
            begin(stage, test, "b")
            end(stage)
            XCTAssertEqual(seen.map(\.0), [.seconds(0.5), .seconds(2)])
            XCTAssertEqual(seen.map(\.1), [.easeInEaseOut, .easeOut])
            XCTAssertEqual(seen.map(\.2), [true, false])
        }
    }

    /// S1-9: each option does what it says, and only that.
    func testTheOptionsAreThoseOfTheTransition() throws {
        try onScreen { stage, test in
            let cases: [WebImageAnimationOptions] = [
                [], .allowsImplicitAnimation, .allowUserInteraction, [.allowsImplicitAnimation, .allowUserInteraction],
            ]
            for (number, options) in cases.enumerated() {
                var transition = WidgetTransition()
                transition.timingFunction = .linear
                transition.animationOptions = options
                transition.prepares = { view, _, _, _, _ in view.alpha = 0 }
                transition.animations = { view, _ in view.alpha = 1 }
                stage.view.imageTransition = transition
                begin(stage, test, "\(number)")
                stage.time += 250_000
                drawFrames(stage)
                let half = options.contains(.allowsImplicitAnimation)
                assertEqual(stage.colour, half ? Colour(red: 0, green: 0, blue: 128, alpha: 128) : .blue)
                XCTAssertEqual(
                    gtk_widget_get_can_target(stage.widgets[0]) != 0, options.contains(.allowUserInteraction))
                end(stage)
                XCTAssertEqual(gtk_widget_get_can_target(stage.widgets[0]), 1)
            }
        }
    }

    /// TRN-2: the result of `prepares` is drawn before time begins to count, however late the first frame is.
    func testWhatPreparesHasMadeIsDrawnFirst() throws {
        try onScreen { stage, test in
            var transition = WidgetTransition()
            transition.animationOptions = .allowsImplicitAnimation
            transition.prepares = { view, _, _, _, _ in view.alpha = 0 }
            transition.animations = { view, _ in view.alpha = 1 }
            stage.view.imageTransition = transition
            let clock = try XCTUnwrap(gtk_widget_get_frame_clock(stage.widgets[0]))
            var painted: [UInt8] = []
            connect(UnsafeMutableRawPointer(clock), "after-paint") {
                if stage.display.isAnimating { painted.append(stage.colour.alpha) }
            }
            stage.view.setImage(with: test.url("a"), options: .delayPlaceholder, context: test.context)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the transition")
            stage.time += 10_000_000
            iterate(until: { !painted.isEmpty }, "the first frame")
            XCTAssertEqual(painted.first, 0)
            XCTAssertTrue(stage.display.isAnimating)
            end(stage)
            XCTAssertEqual(stage.colour, .blue)
        }
    }
}
