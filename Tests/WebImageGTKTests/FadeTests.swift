import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The fade in a real window. Its clock stands still until the test moves it.
final class FadeTests: GTKTestCase, @unchecked Sendable {
    private let half = Colour(red: 128, green: 0, blue: 128)

    /// S0-16, S0-18, S0-20, S0-21, S0-22, S0-25
    func testAPictureFromTheNetworkFadesInOverThePlaceholderAndNothingIsLeft() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            XCTAssertEqual(test.loader.loads[0].request.priority, .low)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the fade")
            assertEqual(stage.colour, .red)

            advance(stage, by: 0)
            assertEqual(stage.colour, .red)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, half)
            advance(stage, by: 424_000)
            XCTAssertTrue(stage.display.isAnimating)

            stage.time += 1_000
            iterate(until: { !stage.display.isAnimating }, "the end of the fade")
            assertEqual(stage.colour, .blue)
            assertNothingIsLeft(stage)
        }
    }

    /// S0-18, S1-8: slow at both ends. After a quarter of the time it has come 0.129 of its way.
    func testTheFadeIsSlowAtItsBeginning() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the fade")
            advance(stage, by: 0)
            advance(stage, by: 212_500)
            assertEqual(stage.colour, Colour(red: 222, green: 0, blue: 33))
        }
    }

    /// S0-20: an interrupted fade has an end of its own, and that takes nothing of the newer one away.
    func testTheEndOfAnInterruptedFadeLeavesTheNewerOneAlone() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.image = try Colour.red.image()
            fadeInPlace(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            fadeInPlace(stage, test, "b", .green)
            // The time of the first one is up, that of the second is not.
            advance(stage, by: 500_000)
            XCTAssertTrue(stage.display.isAnimating)
            let seen = stage.colour
            XCTAssertGreaterThan(seen.green, 128)
            XCTAssertGreaterThan(seen.red, 10)
            stage.time += 350_000
            iterate(until: { !stage.display.isAnimating }, "the end of the second fade")
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }

    /// S0-16, S0-17
    func testAPictureFromMemoryOrDiskIsThereAtOnce() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            let url = test.url("a")
            stage.view.setImage(with: url, context: test.context)
            test.finish(url, .blue)
            iterate(until: { stage.view.image != nil }, "the first load")

            stage.view.transitionFade(url, placeholder: try Colour.red.image(), test)
            assertEqual(stage.colour, .blue)
            XCTAssertFalse(stage.display.isAnimating)

            test.cache.clear(.memory, completion: nil)
            stage.view.transitionFade(url, placeholder: try Colour.red.image(), test)
            assertEqual(stage.colour, .red)
            iterate(until: { stage.view.image?.colour == .blue }, "the picture from disk")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .blue)
            XCTAssertEqual(test.loader.loads.count, 1)
        }
    }

    /// S0-16
    func testAFailureDoesNotFade() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            test.loader.loads[0].fail(.scripted)
            iterate(until: { !test.manager.isRunning }, "the failure")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .red)
        }
    }

    /// S0-26: the first picture is decoded and on its way to the main loop when the view is bound to the second.
    func testAPictureThatComesTooLateDoesNotFade() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.transitionFade(test.url("a"), placeholder: nil, test)
            test.finish(test.url("a"), .blue)
            let key = CacheKey(test.url("a").absoluteString)
            wait("the decoding") { test.cache.imageFromMemory(for: key) != nil }
            stage.view.transitionFade(test.url("b"), placeholder: try Colour.red.image(), test)
            drawFrames(stage, of: stage.widgets[0])
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .red)
            test.finish(test.url("b"), .green)
            iterate(until: { stage.display.isAnimating }, "the fade of the second picture")
            XCTAssertEqual(stage.view.image?.colour, .green)
        }
    }

    /// S0-26: parts of the picture are there at once, and the whole one fades in over the last of them.
    func testOfAPictureThatLoadsProgressivelyOnlyTheWholeOneFades() throws {
        try onMainThread {
            let (stage, _) = try shown()
            defer { stage.close() }
            let test = SuspendedLoader()
            var context = WebImageContext()
            context.imageManager = WebImageManager(
                cache: SuspendedCache(), loader: test, coder: ImageCodersManager.shared)
            var endings = 0
            stage.view.transitionFadeLoadImage(
                "http://pictures.invalid/a.png", options: [.lowPriority, .progressiveLoad], context: context
            ) { _ in endings += 1 }
            let picture = Image(bitmap: try SamplePicture.make(1, width: 300, height: 200))
            let file = try ImageCodersManager.shared.encode(picture, to: .png, options: ImageEncodeOptions())
            test.loads[0].progress(file.count / 2, of: file.count)
            test.loads[0].send(file.prefix(file.count / 2))
            iterate(until: { stage.view.image?.metadata.isIncremental == true }, "a part")
            XCTAssertFalse(stage.display.isAnimating)
            XCTAssertEqual(endings, 0)
            test.loads[0].send(file.dropFirst(file.count / 2))
            test.loads[0].finish(file)
            iterate(until: { stage.display.isAnimating }, "the fade")
            XCTAssertEqual(stage.view.image?.metadata.isIncremental, false)
            XCTAssertEqual(endings, 1)
        }
    }

    /// S0-24
    func testWithoutAPlaceholderThePictureFadesInFromNothing() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            startFade(stage, test, "a", .blue)
            assertEqual(stage.colour, .clear)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, Colour(red: 0, green: 0, blue: 128, alpha: 128))
        }
    }

    /// S0-19, C9: a picture that arrives during a fade starts from what is on the screen.
    func testAFadeThatInterruptsAFadeStartsFromWhatIsThere() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.image = try Colour.red.image()
            fadeInPlace(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, half)

            fadeInPlace(stage, test, "b", .green)
            assertEqual(stage.colour, half)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, Colour(red: 64, green: 128, blue: 64), accuracy: 3)
            stage.time += 425_000
            iterate(until: { !stage.display.isAnimating }, "the end of the second fade")
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }

    /// Interruptions without end must not draw layers without end.
    func testManyInterruptionsStayCheap() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            stage.view.image = try Colour.red.image()
            for number in 0..<20 {
                fadeInPlace(stage, test, "\(number)", number.isMultiple(of: 2) ? .blue : .green)
                advance(stage, by: 100_000)
            }
            let snapshot: OpaquePointer = gtk_snapshot_new()
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])))
            gdk_paintable_snapshot(paintable, snapshot, 8, 8)
            let node = gtk_snapshot_free_to_node(snapshot)
            let bytes = gsk_render_node_serialize(node)
            defer {
                g_bytes_unref(bytes)
                gsk_render_node_unref(node)
            }
            var size: gsize = 0
            let text = g_bytes_get_data(bytes, &size).map {
                String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(size)), as: UTF8.self)
            }
            let layers = try XCTUnwrap(text).components(of: "texture {")
            XCTAssertLessThanOrEqual(layers, 6)
        }
    }

    /// VIEW-3: a load that begins during a fade shows its placeholder at once.
    func testBindingDuringTheFadeEndsIt() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            startFade(stage, test, "a", .blue)
            advance(stage, by: 425_000)
            stage.view.transitionFade(test.url("b"), placeholder: try Colour.green.image(), test)
            assertEqual(stage.colour, .green)
            assertNothingIsLeft(stage)
        }
    }

    func testHidingTheWidgetEndsTheFade() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
            startFade(stage, test, "a", .blue)
            gtk_widget_set_visible(stage.widgets[0], 0)
            assertEqual(stage.colour, .blue)
            XCTAssertFalse(stage.display.isAnimating)
        }
    }

    func testAWidgetThatNobodySeesShowsThePictureAtOnce() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, test) = (Stage(), TestStage())
            defer { stage.close() }
            stage.view.transitionFade(test.url("a"), placeholder: nil, test)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image != nil }, "the picture")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .blue)
        }
    }

    func testTheSettingAgainstAnimationsIsHonoured() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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
        try onMainThread {
            let (stage, test) = try shown(pictures: 2)
            defer { stage.close() }
            startFade(stage, test, "a", .blue)
            advance(stage, by: 100_000)
            weak let display = stage.display
            let ticks = stage.ticks
            stage.remove(stage.widgets[0])
            XCTAssertNil(display)
            drawFrames(stage, of: stage.widgets[1])
            XCTAssertEqual(stage.ticks, ticks)
        }
    }

    /// What the app puts into the widget during a fade is not overwritten when the fade ends.
    func testThePaintableOfTheAppStays() throws {
        try onMainThread {
            let (stage, test) = try shown()
            defer { stage.close() }
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

// MARK: - Steps

extension FadeTests {
    @MainActor
    private func shown(pictures count: Int = 1) throws -> (Stage, TestStage) {
        try requireDisplay()
        let stage = Stage(pictures: count)
        stage.show()
        iterate(until: { stage.isOnScreen }, "the window")
        return (stage, TestStage())
    }

    /// A fade from nothing to `colour`, at its first frame.
    @MainActor
    private func startFade(_ stage: Stage, _ test: TestStage, _ name: String, _ colour: Colour) {
        stage.view.transitionFade(test.url(name), placeholder: nil, test)
        test.finish(test.url(name), colour)
        iterate(until: { stage.display.isAnimating }, "the fade")
        advance(stage, by: 0)
    }

    /// A fade that starts from what the view shows, at its first frame.
    @MainActor
    private func fadeInPlace(_ stage: Stage, _ test: TestStage, _ name: String, _ colour: Colour) {
        stage.view.setImage(with: test.url(name), options: .delayPlaceholder, context: test.context) { _ in
            stage.view.fadeFromPreviousContent()
        }
        test.finish(test.url(name), colour)
        iterate(until: { stage.view.image?.colour == colour }, "the picture")
        advance(stage, by: 0)
    }

    /// Moves the clock and lets two frames pass, of which the second begins after the move for certain.
    @MainActor
    private func advance(_ stage: Stage, by microseconds: Int64) {
        stage.time += microseconds
        let ticks = stage.ticks
        iterate(until: { stage.ticks >= ticks + 2 }, "two frames")
    }

    /// The plain picture, and no callback on the frame clock.
    @MainActor
    private func assertNothingIsLeft(_ stage: Stage, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertFalse(stage.display.isAnimating, file: file, line: line)
        if let paintable = gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])) {
            let isStill = gdk_paintable_get_flags(paintable).rawValue & GDK_PAINTABLE_STATIC_CONTENTS.rawValue != 0
            XCTAssertTrue(isStill, "the paintable still moves", file: file, line: line)
        }
        let ticks = stage.ticks
        drawFrames(stage, of: stage.widgets[0])
        XCTAssertEqual(stage.ticks, ticks, "a callback is left", file: file, line: line)
    }

    /// Lets the window's frame clock run for a few frames.
    @MainActor
    private func drawFrames(_ stage: Stage, of widget: UnsafeMutablePointer<GtkWidget>) {
        var frames = 0
        let counter = FrameAnimation(
            on: widget, timeline: AnimationTimeline(duration: 3600, timing: .linear),
            time: {
                frames += 1
                return FrameAnimation.frameTime($0)
            }, step: { _ in }, ended: {})
        iterate(until: { frames >= 3 }, "three frames")
        counter.stop()
    }
}

extension Stage {
    fileprivate var display: PaintableDisplay { Coordinator.of(widgets[0]).display }
}

extension PictureView {
    /// The public call, with the test's manager in place of the shared one.
    fileprivate func transitionFade(_ url: URL, placeholder: Image?, _ test: TestStage) {
        transitionFadeLoadImage(url, placeholder: placeholder, context: test.context)
    }
}

extension String {
    fileprivate func components(of separator: String) -> Int { ranges(of: separator).count }
}
