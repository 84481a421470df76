import CGtk4
import WebImage
import WebImageTestLoads
import XCTest

@testable import WebImageGTK

/// Animations in the places of a widget that has several, and with an appearance.
final class PlaybackPlacesTests: ButtonTestCase, @unchecked Sendable {
    @MainActor
    private func setClock(_ clock: ManualAnimationClock, of views: [any WidgetView]) {
        for view in views { Coordinator.of(view.widget).surface.display(of: view)?.playbackClock = clock }
    }

    /// VIEW-13: the picture that is shown plays, and the other one stands still.
    func testAnAnimationPlaysWhileItIsTheHighlightedPicture() throws {
        try onPlaybackStage { stage in
            let view = stage.view
            setClock(stage.clock, of: [view.highlightedView])
            view.image = try .lights()
            stage.advance(by: 100, to: .green)
            view.highlightedView.image = try .lights()
            XCTAssertFalse(view.highlightedView.isAnimating)
            view.isHighlighted = true
            iterate(until: { view.highlightedView.isAnimating }, "the playback of the highlighted picture")
            stage.clock.advance(by: .milliseconds(100))
            iterate(until: { !view.isAnimating }, "the end of the usual one")
            iterate(until: { view.highlightedView.player?.currentFrameIndex == 1 }, "the second frame")
            XCTAssertEqual(stage.stage.colour, .green)
            view.isHighlighted = false
            iterate(until: { view.isAnimating }, "the playback of the usual picture")
            stage.clock.advance(by: .milliseconds(100))
            iterate(until: { !view.highlightedView.isAnimating }, "the end of the highlighted one")
        }
    }

    /// VIEW-14: a button plays the picture of its state.
    func testAnAnimationPlaysWhileItIsThePictureOfTheButtonsState() throws {
        try onButton { stage, button, _ in
            let (clock, hovered) = (ManualAnimationClock(), button.imageView(for: .prelight))
            setClock(clock, of: [button, hovered])
            button.image = try .lights(side: 32)
            hovered.image = try .lights(side: 32)
            iterate(until: { button.isAnimating }, "the playback")
            XCTAssertFalse(hovered.isAnimating)
            clock.advance(by: .milliseconds(100))
            iterate(until: { button.player?.currentFrameIndex == 1 }, "the second frame")
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            iterate(until: { hovered.isAnimating }, "the playback of the other picture")
            clock.advance(by: .milliseconds(100))
            iterate(until: { !button.isAnimating }, "the end of the usual one")
            iterate(until: { hovered.player?.currentFrameIndex == 1 }, "its second frame")
            gtk_widget_unset_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT)
            iterate(until: { button.isAnimating }, "the playback of the usual picture")
        }
    }

    func testAnAnimationPlaysWithAnAppearance() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            stage.view.alpha = 0.5
            stage.view.transform = ViewTransform(scale: 0.5)
            let isFaint: (Colour) -> Bool = { colour in
                zip(stage.stage.colour.channels, colour.channels).allSatisfy { abs(Int($0) - Int($1) / 2) < 3 }
            }
            for colour in [Colour.green, .blue, .red] {
                stage.clock.advance(by: .milliseconds(100))
                iterate(until: { isFaint(colour) }, "the next frame")
                XCTAssertTrue(stage.view.isAnimating)
            }
            stage.view.alpha = 1
            stage.view.transform = .identity
            stage.advance(by: 100, to: .green)
        }
    }

    /// An animated change of the appearance shows the frame of its beginning, and the picture plays on after it.
    func testAnAnimationPlaysOnAfterAnAnimatedChangeOfTheAppearance() throws {
        try onPlaybackStage { stage in
            let (display, view) = (stage.display(), stage.view)
            view.image = try .lights()
            stage.advance(by: 100, to: .green)
            var run = TransitionRun(effect: nil, duration: 1, timing: .linear)
            run.allowsImplicitAnimation = true
            display.transition(run) { view.alpha = 0 }
            XCTAssertFalse(view.isAnimating)
            XCTAssertEqual(stage.clock.pendingCount, 0)
            XCTAssertEqual(stage.stage.colour, .green)
            let ticks = stage.stage.ticks
            iterate(until: { stage.stage.ticks > ticks }, "the first frame")
            view.alpha = 1
            stage.stage.time += 2_000_000
            iterate(until: { !display.isAnimating }, "the end of the transition")
            iterate(until: { view.isAnimating }, "the playback")
            stage.advance(by: 100, to: .blue)
        }
    }

    func testViewsInStepEndTogetherAndBeginTogether() throws {
        try onPlaybackStage(pictures: 2) { stage in
            let image = try Image.lights(loopCount: 1)
            let views = stage.stage.widgets.map { PictureView($0) }
            for view in views { view.image = image }
            for colour in [Colour.green, .blue] { stage.advance(by: 100, to: colour) }
            stage.clock.advance(by: .milliseconds(100))
            XCTAssertEqual(views.map(\.isAnimating), [false, false])
            stage.assertStandsStill()
            XCTAssertEqual(stage.stage.colours, [.blue, .blue])
            // A view that comes into sight beside one that shows the end does not begin it anew.
            gtk_widget_set_visible(views[1].widget, 0)
            gtk_widget_set_visible(views[1].widget, 1)
            stage.assertStandsStill()
            XCTAssertEqual(stage.stage.colours, [.blue, .blue])
            views[1].startAnimating()
            XCTAssertEqual(views.map(\.isAnimating), [true, true])
            iterate(until: { stage.stage.colours == [.red, .red] }, "the first frame")
            stage.advance(by: 100, to: .green)
            XCTAssertEqual(stage.stage.colours, [.green, .green])
        }
    }

    /// S4-15: with `delayPlaceholder` a view keeps its partial animation until the next picture is there, which is another
    /// one and begins at its beginning.
    func testAPartialAnimationOfAFormerLoadDoesNotGoOnInTheNextOne() throws {
        try onPlaybackStage { stage in
            let (parts, test) = (GrowingLights(), TestStage())
            stage.view.image = try parts.image(frameCount: 3, isIncremental: true)
            stage.clock.advance(by: .milliseconds(100))
            iterate(until: { stage.view.player?.currentFrameIndex == 1 }, "the second frame")
            let player = try XCTUnwrap(stage.view.player)
            stage.view.setImage(with: test.url("next"), options: .delayPlaceholder, context: test.context)
            XCTAssertTrue(stage.view.player === player, "the former picture stays")
            XCTAssertTrue(stage.view.isAnimating)
            stage.clock.advance(by: .milliseconds(100))
            iterate(until: { player.currentFrameIndex == 2 }, "the third frame")
            stage.display().show(step: try parts.image(frameCount: 4, isIncremental: true), as: .topToBottom)
            XCTAssertFalse(stage.view.player === player)
            XCTAssertEqual(stage.view.player?.currentFrameIndex, 0)
        }
    }
}
