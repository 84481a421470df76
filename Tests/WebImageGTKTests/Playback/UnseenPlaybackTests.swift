import CGtk4
import WebImage
import WebImageTestLoads
import XCTest

@testable import WebImageGTK

/// Animations in windows that cannot be seen, though they are mapped.
final class UnseenPlaybackTests: GTKTestCase, @unchecked Sendable {
    /// AIV-10, A79: a minimised window.
    func testAnAnimationStandsStillInAMinimisedWindow() throws {
        try onMainThread {
            try requireDisplay()
            let clock = ManualAnimationClock()
            let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
            let stage = try ScreenStage(PixelSize(width: 40, height: 40), picture, nil, self)
            defer { stage.close() }
            Coordinator.of(picture).display.playbackClock = clock
            let view = PictureView(picture)
            view.image = try .lights()
            clock.advance(by: .milliseconds(100))
            iterate(until: { view.player?.currentFrameIndex == 1 }, "the second frame")
            try stage.setMinimized(true)
            iterate(until: { !view.isAnimating }, "the end of the playback")
            XCTAssertEqual(clock.pendingCount, 0)
            try stage.setMinimized(false)
            iterate(until: { view.isAnimating }, "the playback")
            clock.advance(by: .milliseconds(100))
            iterate(until: { view.player?.currentFrameIndex == 2 }, "the third frame")
        }
    }

    /// AIV-10, A79: nothing says that a window is covered, but its frames are not drawn.
    func testAnAnimationStandsStillOnceItsFramesAreNotDrawn() throws {
        try onPlaybackStage { stage in
            let (display, view) = (stage.display(), stage.view)
            var time = Duration.zero
            display.drawTime = { time }
            view.playback.maxBufferSize = .max
            view.image = try .lights()
            iterate(until: { view.player?.statistics.decodedCount ?? 0 >= 2 }, "all frames but the poster")
            stage.advance(by: 100, to: .green)
            iterate(until: { view.player?.statistics.decodedCount == 3 }, "all frames")
            let draws = display.drawCount
            // From here on the main loop does not run, so that nothing is drawn.
            for _ in 0..<10 {
                time += .milliseconds(100)
                stage.clock.advance(by: .milliseconds(100))
                XCTAssertTrue(view.isAnimating)
            }
            time += .milliseconds(200)
            stage.clock.advance(by: .milliseconds(100))
            XCTAssertFalse(view.isAnimating)
            XCTAssertEqual(stage.clock.pendingCount, 0)
            XCTAssertEqual(display.drawCount, draws)
            iterate(until: { view.isAnimating }, "the playback after a draw")
            XCTAssertGreaterThan(display.drawCount, draws)
        }
    }

    /// Frames that are drawn keep it playing, however long it plays.
    func testAnAnimationThatIsDrawnPlaysOn() throws {
        try onPlaybackStage { stage in
            var time = Duration.zero
            stage.display().drawTime = { time }
            stage.view.image = try .lights()
            for colour in [Colour.green, .blue, .red, .green, .blue] {
                let draws = stage.display().drawCount
                stage.advance(by: 100, to: colour)
                iterate(until: { stage.display().drawCount > draws }, "the draw")
                time += .seconds(3)
                XCTAssertTrue(stage.view.isAnimating)
            }
        }
    }
}
