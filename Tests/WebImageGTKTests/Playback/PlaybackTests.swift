import CGtk4
import CLinux
import WebImage
import WebImageTestLoads
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

private typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Animations in views.
final class PlaybackTests: GTKTestCase, @unchecked Sendable {
    /// S4-11: an animation that is set on a plain view plays.
    func testAPictureViewPlays() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            XCTAssertEqual(stage.stage.colour, .red)
            XCTAssertTrue(stage.view.isAnimating)
            for colour in [Colour.green, .blue, .red, .green] { stage.advance(by: 100, to: colour) }
            XCTAssertEqual(stage.view.player?.currentLoopCount, 1)
        }
    }

    func testALineOfCodePlaysWhatItLoads() throws {
        try onScreen { stage, test in
            let clock = ManualAnimationClock()
            Coordinator.of(stage.widgets[0]).display.playbackClock = clock
            test.cache.storeInMemory(try .lights(), for: test.manager.cacheKey(for: test.url("a")))
            stage.view.setImage(with: test.url("a"), context: test.context)
            XCTAssertEqual(stage.colour, .red)
            clock.advance(by: .milliseconds(100))
            iterate(until: { stage.colour == .green }, "the second frame")
        }
    }

    /// AIV-10, A79: visible means mapped and not transparent.
    func testAnAnimationStandsStillWhileItCannotBeSeen() throws {
        let ways: [@MainActor (Widget, Bool) -> Void] = [
            { gtk_widget_set_visible($0, $1 ? 1 : 0) }, { gtk_widget_set_opacity($0, $1 ? 1 : 0) },
        ]
        for setVisible in ways {
            try onPlaybackStage { stage in
                let widget = stage.stage.widgets[0]
                stage.view.image = try .lights()
                stage.advance(by: 100, to: .green)
                setVisible(widget, false)
                XCTAssertFalse(stage.view.isAnimating)
                stage.assertStandsStill()
                setVisible(widget, true)
                iterate(until: { stage.view.isAnimating }, "the playback")
                stage.advance(by: 100, to: .blue)
                setVisible(widget, false)
                stage.view.image = try .lights()
                XCTAssertFalse(stage.view.isAnimating)
                stage.assertStandsStill()
                XCTAssertEqual(stage.stage.colour, .red)
            }
        }
    }

    func testAnAnimationStandsStillWhileItIsScrolledOut() throws {
        try onMainThread {
            try requireDisplay()
            let clock = ManualAnimationClock()
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            let scroller: Widget = gtk_scrolled_window_new()
            let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let pictures: [Widget] = (0..<6).map { _ in gtk_picture_new() }
            for picture in pictures {
                gtk_widget_set_size_request(picture, 100, 100)
                gtk_box_append(box.of(GtkBox.self), picture)
                Coordinator.of(picture).display.playbackClock = clock
            }
            gtk_scrolled_window_set_child(OpaquePointer(scroller), box)
            gtk_window_set_child(window.of(GtkWindow.self), scroller)
            gtk_window_set_default_size(window.of(GtkWindow.self), 120, 150)
            gtk_window_present(window.of(GtkWindow.self))
            iterate(until: { gtk_widget_get_height(pictures[0]) > 0 }, "the layout")
            for picture in pictures { PictureView(picture).image = try .lights() }
            let playing = { pictures.map { PictureView($0).isAnimating } }
            iterate(until: { playing() == [true, true, false, false, false, false] }, "the playback of what is seen")
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
            gtk_adjustment_set_value(adjustment, 10_000)
            iterate(until: { Array(playing().prefix(4)) == [false, false, false, false] }, "the end of what was seen")
            iterate(until: { playing().suffix(2) == [true, true] }, "the playback of what is seen now")
        }
    }

    /// The desktop's wish for less motion.
    func testWithoutAnimationsThePosterShowsUntilTheAppStarts() throws {
        try onPlaybackStage { stage in
            stage.stage.setAnimations(enabled: false)
            defer { stage.stage.setAnimations(enabled: true) }
            stage.view.image = try .lights()
            XCTAssertFalse(stage.view.isAnimating)
            stage.assertStandsStill()
            XCTAssertEqual(stage.stage.colour, .red)
            stage.stage.setAnimations(enabled: true)
            XCTAssertTrue(stage.view.isAnimating)
            stage.stage.setAnimations(enabled: false)
            XCTAssertFalse(stage.view.isAnimating)
            stage.view.startAnimating()
            XCTAssertTrue(stage.view.isAnimating)
        }
    }

    /// AIV-8, S4-14: the app's calls count.
    func testAnimationsStartAndStopByCalls() throws {
        try onPlaybackStage { stage in
            stage.view.playback.autoPlayAnimatedImage = false
            stage.view.image = try .lights()
            XCTAssertFalse(stage.view.isAnimating)
            stage.assertStandsStill()
            stage.view.startAnimating()
            stage.advance(by: 100, to: .green)
            stage.view.stopAnimating()
            stage.assertStandsStill()
            XCTAssertEqual(stage.stage.colour, .green)
            stage.view.startAnimating()
            stage.advance(by: 100, to: .blue)
            stage.view.image = try .lights()
            XCTAssertFalse(stage.view.isAnimating, "another picture does not play by itself")
            stage.view.playback.autoPlayAnimatedImage = true
            XCTAssertTrue(stage.view.isAnimating)
        }
    }

    func testACallBeginsAnewAfterTheLastPlayAndAfterAPauseOfThePlayer() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights(loopCount: 1)
            for colour in [Colour.green, .blue] { stage.advance(by: 100, to: colour) }
            stage.clock.advance(by: .milliseconds(100))
            XCTAssertFalse(stage.view.isAnimating)
            stage.view.startAnimating()
            XCTAssertTrue(stage.view.isAnimating)
            iterate(until: { stage.stage.colour == .red }, "the first frame")
            stage.advance(by: 100, to: .green)
            stage.view.player?.pausePlaying()
            XCTAssertFalse(stage.view.isAnimating)
            stage.view.startAnimating()
            stage.advance(by: 100, to: .blue)
        }
    }

    func testViewsOfOneAnimationPlayInStepOrFree() throws {
        try onPlaybackStage(pictures: 2) { stage in
            let image = try Image.lights()
            let views = stage.stage.widgets.map { PictureView($0) }
            views[0].image = image
            stage.advance(by: 100, to: .green)
            views[1].image = image
            XCTAssertTrue(views[0].player === views[1].player)
            XCTAssertEqual(stage.stage.colours, [.green, .green])
            stage.advance(by: 100, to: .blue)
            XCTAssertEqual(stage.stage.colours, [.blue, .blue])
            views[1].stopAnimating()
            stage.advance(by: 100, to: .red)
            XCTAssertEqual(stage.stage.colours, [.red, .blue])
            views[1].playback.isInStep = false
            views[1].startAnimating()
            XCTAssertFalse(views[0].player === views[1].player)
            views[0].stopAnimating()
            // Time counts from the moment that the player of its own shows a frame.
            iterate(until: { views[1].player?.currentFrameIndex == 2 }, "the frame of the other player")
            stage.clock.advance(by: .milliseconds(100))
            iterate(until: { stage.stage.colours == [.red, .red] }, "the frame after blue")
        }
    }

    func testAViewPlaysAfterItsTransition() throws {
        try onPlaybackStage { stage in
            let display = stage.display()
            display.show(try Colour.clear.image())
            display.transition(to: try .lights(), TransitionRun(effect: .crossDissolve, duration: 1, timing: .linear))
            XCTAssertFalse(display.isPlaying)
            XCTAssertEqual(stage.clock.pendingCount, 0)
            let ticks = stage.stage.ticks
            iterate(until: { stage.stage.ticks > ticks }, "the first frame")
            stage.stage.time += 2_000_000
            iterate(until: { !display.isAnimating }, "the end of the transition")
            XCTAssertTrue(display.isPlaying)
            stage.advance(by: 100, to: .green)
            // The transition away from an animation starts from its current frame.
            display.transition(
                to: try Colour.green.image(), TransitionRun(effect: .crossDissolve, duration: 1, timing: .linear))
            XCTAssertEqual(stage.stage.colour, .green)
            XCTAssertEqual(stage.clock.pendingCount, 0)
        }
    }

    func testAnotherPictureOrTheAppsOwnContentEndsPlayback() throws {
        try onPlaybackStage { stage in
            weak var player: AnimatedImagePlayer?
            for replace: @MainActor () throws -> Void in [
                { stage.view.image = nil }, { stage.view.image = try Colour.red.image() },
                { gtk_picture_set_paintable(OpaquePointer(stage.view.widget), nil) },
            ] {
                stage.view.image = try .lights()
                player = stage.view.player
                XCTAssertEqual(player?.isPlaying, true)
                try replace()
                stage.clock.advance(by: .milliseconds(100))
                iterate(until: { stage.clock.pendingCount == 0 }, "the end of the playback")
                stage.view.image = nil
                XCTAssertNil(player)
            }
        }
    }

    /// A87: no player outlives its widget.
    func testTheEndOfTheWidgetEndsThePlayer() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            weak let player = stage.view.player
            XCTAssertNotNil(player)
            stage.stage.remove(stage.view.widget)
            XCTAssertNil(player)
            XCTAssertEqual(stage.clock.pendingCount, 0)
        }
    }

    /// AIV-2: each frame is transformed, on another thread.
    func testFramesAreTransformed() throws {
        try onPlaybackStage { stage in
            let seen = Recorder<Bool>()
            stage.view.playback.animationTransformer = ClosureImageTransformer(identity: "opposite") { image in
                seen.append(isMainThread())
                return image.filtered(by: .invert(inLinearLight: false))
            }
            stage.view.image = try .lights()
            iterate(until: { stage.stage.colour == Colour(red: 0, green: 255, blue: 255) }, "the first frame")
            stage.advance(by: 100, to: Colour(red: 255, green: 0, blue: 255))
            XCTAssertFalse(seen.values.contains(true))
        }
    }

    /// AIV-2: set after the picture, it applies from then on; one of the same key changes nothing, and nil shows the frames as
    /// they are.
    func testATransformerMayComeAfterThePicture() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            let plain = stage.view.player
            stage.view.playback.animationTransformer = Self.opposite()
            XCTAssertFalse(stage.view.player === plain)
            iterate(until: { stage.stage.colour == Colour(red: 0, green: 255, blue: 255) }, "the first frame")
            stage.advance(by: 100, to: Colour(red: 255, green: 0, blue: 255))
            let player = stage.view.player
            stage.view.playback.animationTransformer = Self.opposite()
            XCTAssertTrue(stage.view.player === player, "the same key")
            XCTAssertEqual(stage.view.player?.currentFrameIndex, 1)
            stage.view.playback.animationTransformer = nil
            XCTAssertFalse(stage.view.player === player)
            iterate(until: { [.red, .green, .blue].contains(stage.stage.colour) }, "a frame as it is")
        }
    }

    /// AIV-2: two views show the same frames where animation and key are the same, and only there.
    func testFramesAreEqualByAnimationAndKey() throws {
        try onPlaybackStage { stage in
            let second = PictureView(stage.stage.addPicture())
            Coordinator.of(second.widget).display.playbackClock = stage.clock
            let image = try Image.lights()
            for view in [stage.view, second] {
                view.playback.animationTransformer = Self.opposite()
                view.image = image
            }
            XCTAssertNotNil(stage.view.player)
            XCTAssertTrue(stage.view.player === second.player)
            second.playback.animationTransformer = ClosureImageTransformer(identity: "as it is") { $0 }
            XCTAssertFalse(stage.view.player === second.player, "another key")
            second.playback.animationTransformer = Self.opposite()
            XCTAssertTrue(stage.view.player === second.player)
            second.image = try .lights()
            XCTAssertFalse(stage.view.player === second.player, "another animation")
        }
    }

    /// The colours that complete white.
    private static func opposite() -> ClosureImageTransformer {
        ClosureImageTransformer(identity: "opposite") { $0.filtered(by: .invert(inLinearLight: false)) }
    }

    /// High dynamic range is tone-mapped on the queue of frames, not on the main thread at each frame.
    func testFramesOfHighDynamicRangeComeReadyForTheDisplay() throws {
        try onPlaybackStage { stage in
            let bright = try (1...3).map { number in
                let pixel: [UInt8] = [0, UInt8(number * 40), 0, 100, 0, 60, 255, 255]
                return try Bitmap(
                    size: PixelSize(width: 4, height: 4), format: .rgba16Straight, colorSpace: .bt2100PQ,
                    pixels: Array((0..<16).map { _ in pixel }.joined()))
            }
            let frames = bright.map { ImageFrame(bitmap: $0, duration: .milliseconds(100)) }
            let image = try XCTUnwrap(Image(frames: frames, loopCount: 0))
            XCTAssertTrue(image.isHighDynamicRange)
            stage.view.image = image
            var seen: [Int] = []
            stage.view.player?.frameHandler = { index, frame in
                seen.append(index)
                XCTAssertFalse(frame.colorSpace.isHighDynamicRange, "frame \(index)")
                XCTAssertEqual(frame.format, .rgba16Straight)
                XCTAssertEqual(frame.bytes, bright[index].displayable.bytes)
            }
            for count in 1...5 {
                iterate(until: { seen.count >= count }, "frame \(count)")
                stage.clock.advance(by: .milliseconds(100))
            }
            XCTAssertEqual(seen.prefix(5), [0, 1, 2, 0, 1])
        }
    }
}

/// Whether this is the process's first thread.
private func isMainThread() -> Bool { webimage_is_main_thread() != 0 }
