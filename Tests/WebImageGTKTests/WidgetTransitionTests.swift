import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A view's own transition in a real window. Its clock stands still until the test moves it.
final class WidgetTransitionTests: GTKTestCase, @unchecked Sendable {
    private static let presets: [WidgetTransition] = [
        .fade, .flipFromLeft, .flipFromRight, .flipFromTop, .flipFromBottom, .curlUp, .curlDown,
    ]

    /// T4.7, S1-1, S4-6: each preset is set in one line, and runs right after the completion of a picture from the network.
    func testEveryPresetRunsForAPictureFromTheNetwork() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// T4.7, TRN-8, S4-8: a picture from the disk gets it, one from memory only where that is forced.
    func testAPictureFromTheDiskGetsItAndOneFromMemoryWhenForced() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// S1-15, A90: a duration that is set after the preset was made, or with it, is that of the transition.
    func testADurationOfTheAppIsKept() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            var slow = WidgetTransition.fade
            slow.duration = 2
            for (number, transition) in [slow, .fade(duration: 2)].enumerated() {
                stage.view.imageTransition = transition
                begin(stage, test, "\(number)")
                stage.time += 1_900_000
                drawFrames(stage)
                XCTAssertTrue(stage.display.isAnimating)
                stage.time += 200_000
                iterate(until: { !stage.display.isAnimating }, "the end")
            }
            XCTAssertEqual(WidgetTransition.fade.duration, 0.5)
        }
    }

    /// S4-7, S1-2, S1-5: `prepares` turns the picture upside down, `animations` lets it turn back.
    func testThePictureTurnsFromWhatPreparesHasMade() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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
                story.append("animates \(image != nil) for \(TransitionContext.current?.duration ?? 0)")
            }
            transition.completion = { story.append("finished \($0)") }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            XCTAssertEqual(story, ["prepares true true none a", "animates true for 0.5"])
            XCTAssertEqual(stage.colour.alpha, 0)
            XCTAssertNil(TransitionContext.current)
            end(stage)
            XCTAssertEqual(story.last, "finished true")
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(stage.view.transform, .identity)
        }
    }

    /// S1-8, TRN-5: without a timing function slow at both ends, with one as that says.
    func testTheTimingFunctionIsThatOfTheTransition() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            let cases: [(TimingFunction?, UInt8)] = [(nil, 33), (.linear, 64)]
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

    /// S1-2: what the animations can read is what the transition was given.
    func testTheAnimationsCanReadHowTheyAreAnimated() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            var seen: [(Double, TimingFunction, Bool)] = []
            var transition = WidgetTransition.fade
            transition.animations = { _, _ in
                guard let context = TransitionContext.current else { return XCTFail("there is no context") }
                seen.append((context.duration, context.timingFunction, context.allowsImplicitAnimation))
            }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            end(stage)
            transition.duration = 2
            transition.timingFunction = .easeOut
            transition.animationOptions.insert(.allowsImplicitAnimation)
            stage.view.imageTransition = transition
            begin(stage, test, "b")
            end(stage)
            XCTAssertEqual(seen.map(\.0), [0.5, 2])
            XCTAssertEqual(seen.map(\.1), [.easeInEaseOut, .easeOut])
            XCTAssertEqual(seen.map(\.2), [false, true])
        }
    }

    /// S1-9: each option does what it says, and only that.
    func testTheOptionsAreThoseOfTheTransition() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// TRN-2: what `prepares` has made is drawn before time begins to count, however late the first frame is.
    func testWhatPreparesHasMadeIsDrawnFirst() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// TRN-10, OPT-25: the completion comes when the transition has ended.
    func testTheCompletionCanWaitForTheTransition() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// B47: nobody can see the widget, or it has nowhere to show a picture: the completion comes all the same.
    func testACompletionThatCannotWaitComesAtOnce() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(), TestStage())
            defer { stage.close() }
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

    /// T4.7, TRN-9, A11: cancelled during its transition, and followed by a load under another key, a load is silent.
    func testATransitionThatIsOvertakenIsSilent() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            var endings: [Bool] = []
            var transition = WidgetTransition.fade
            transition.completion = { endings.append($0) }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            stage.view.cancelLatestImageLoad()
            var context = test.context
            context.setImageOperationKey = "another"
            stage.view.setImage(with: test.url("b"), context: context)
            test.finish(test.url("b"), .green)
            iterate(until: { stage.view.image?.colour == .green }, "the second picture")
            XCTAssertEqual(endings, [])
            end(stage)
            XCTAssertEqual(endings, [true])
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// C9: a load that begins during a transition starts from what is on the screen.
    func testAnotherPictureStartsFromWhatIsSeen() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.image = try Colour.red.image()
            var transition = WidgetTransition.fade(duration: 1)
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

    /// The widget goes during its transition: it is out of sight first, which brings the transition to its end. After that
    /// nothing of either is called.
    func testTheWidgetGoesDuringItsTransition() throws {
        try onMainThread {
            let (stage, test) = try shown(pictures: 2)
            defer { stage.close() }
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

    /// TRN-4: false for a transition in whose place the app has put another picture, true for one that is out of sight.
    func testWhatTheAppSetsDuringATransitionInterruptsIt() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// A cached picture that is refreshed comes as the view wants preliminary ones: at once, or gradually.
    func testAPreliminaryPictureCanComeGradually() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            XCTAssertEqual(stage.view.progressiveDisplay, .topToBottom)
            test.cache.put(Colour.blue.file, for: CacheKey(test.url("a").absoluteString))
            for display in [ProgressiveDisplay.topToBottom, .blurToSharp(duration: 0.3)] {
                stage.view.progressiveDisplay = display
                stage.view.setImage(with: test.url("a"), options: .refreshCached, context: test.context)
                iterate(until: { stage.view.image != nil }, "the cached picture")
                XCTAssertEqual(stage.display.isAnimating, display != .topToBottom)
                stage.view.cancelCurrentImageLoad()
                stage.view.image = nil
            }
        }
    }

    /// S1-3, S0-13: the other way to an effect of the app's own: the load hands the picture over, and the app moves what it
    /// likes.
    func testTheCompletionMayAnimateThePictureItself() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

    /// VIEW-2, S1-3: a widget whose pictures the app shows itself gets every frame of its transition.
    func testAnOwnWidgetIsToldOfEveryFrame() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            let view = PlainView(widget: stage.widgets[0])
            view.display?.time = { _ in stage.time }
            var transition = WidgetTransition.custom(.crossDissolve, duration: 1)
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

// MARK: - Steps

extension WidgetTransitionTests {
    @MainActor
    private func shown(pictures count: Int = 1) throws -> (Stage, TestStage) {
        try requireDisplay()
        let stage = Stage(pictures: count)
        stage.show()
        iterate(until: { stage.isOnScreen }, "the window")
        return (stage, TestStage())
    }

    /// A blue picture, at the first frame of its transition.
    @MainActor
    private func begin(_ stage: Stage, _ test: TestStage, _ name: String, _ options: WebImageOptions = []) {
        var hasEnded = false
        stage.view.setImage(with: test.url(name), options: options, context: test.context) { _ in hasEnded = true }
        test.finish(test.url(name), .blue)
        iterate(until: { hasEnded && stage.display.isAnimating }, "the transition")
        drawFrames(stage)
    }

    /// Lets two frames pass, of which the second begins after the clock was moved for certain.
    @MainActor
    private func drawFrames(_ stage: Stage, of picture: Int = 0) {
        guard Coordinator.of(stage.widgets[picture]).display.isAnimating else { return }
        let ticks = stage.ticks
        iterate(until: { stage.ticks >= ticks + 2 }, "two frames")
    }

    /// Lets the transition run to its end.
    @MainActor
    private func end(_ stage: Stage) {
        drawFrames(stage)
        stage.time += 5_000_000
        iterate(until: { !stage.display.isAnimating }, "the end of the transition")
    }
}

extension Stage {
    fileprivate var display: PaintableDisplay { Coordinator.of(widgets[0]).display }
}

/// A view of which only the app knows how to show a picture.
private struct PlainView: WidgetView {
    let widget: UnsafeMutablePointer<GtkWidget>
    var slot: PictureSlot { PictureSlot(operationKey: "plain") }
}
