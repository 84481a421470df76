import CGtk4
import WebImage
import WebImageTestLoads
import XCTest

@testable import WebImageGTK

/// Animations whose picture is released, or decoded again, while a view has it.
final class ReleasedPlaybackTests: GTKTestCase, @unchecked Sendable {
    /// A82, S4-11: an invisible picture that was let go for want of memory goes on where it was.
    func testAReleasedAnimationGoesOnWhereItWas() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            for colour in [Colour.green, .blue, .red, .green] { stage.advance(by: 100, to: colour) }
            gtk_widget_set_visible(stage.view.widget, 0)
            stage.display().drop()
            XCTAssertNil(stage.view.player, "nothing is held")
            stage.display().drop()
            stage.display().replace(by: try .lights())
            gtk_widget_set_visible(stage.view.widget, 1)
            iterate(until: { stage.view.isAnimating }, "the playback")
            stage.advance(by: 0, to: .green)
            XCTAssertEqual(stage.view.player?.currentLoopCount, 1)
            stage.advance(by: 100, to: .blue)
        }
    }

    func testAnAnimationThatTheAppHasStoppedStaysStoppedWhereItWas() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights()
            stage.advance(by: 100, to: .green)
            stage.view.stopAnimating()
            stage.display().drop()
            stage.display().replace(by: try .lights())
            stage.advance(by: 0, to: .green)
            XCTAssertFalse(stage.view.isAnimating)
            stage.assertStandsStill()
            stage.view.startAnimating()
            stage.advance(by: 100, to: .blue)
        }
    }

    /// AIV-7, A88: an animation that begins anew after each stop does so after a release, too.
    func testAnotherPictureAndAResetBeginAtTheBeginning() throws {
        try onPlaybackStage { stage in
            stage.view.playback.resetFrameIndexWhenStopped = true
            stage.view.image = try .lights()
            stage.advance(by: 100, to: .green)
            gtk_widget_set_visible(stage.view.widget, 0)
            stage.display().drop()
            stage.display().replace(by: try .lights())
            XCTAssertEqual(stage.view.player?.currentFrameIndex, 0)
            stage.view.playback.resetFrameIndexWhenStopped = false
            gtk_widget_set_visible(stage.view.widget, 1)
            iterate(until: { stage.view.isAnimating }, "the playback")
            stage.advance(by: 100, to: .green)
            gtk_widget_set_visible(stage.view.widget, 0)
            stage.display().drop()
            stage.view.image = try .lights()
            gtk_widget_set_visible(stage.view.widget, 1)
            iterate(until: { stage.view.isAnimating }, "the playback")
            XCTAssertEqual(stage.stage.colour, .red)
            XCTAssertEqual(stage.view.player?.currentFrameIndex, 0)
        }
    }

    /// A view that grows decodes its picture again.
    func testAnAnimationThatHasEndedStaysAtItsEndWhenItIsDecodedAgain() throws {
        try onPlaybackStage { stage in
            stage.view.image = try .lights(loopCount: 1)
            for colour in [Colour.green, .blue] { stage.advance(by: 100, to: colour) }
            stage.clock.advance(by: .milliseconds(100))
            for side in [16, 24] {
                stage.display().replace(by: try .lights(loopCount: 1, side: side))
                XCTAssertFalse(stage.view.isAnimating)
                stage.advance(by: 0, to: .blue)
                iterate(until: { stage.view.player?.currentFrameIndex == 2 }, "the larger frame")
                XCTAssertEqual(stage.view.player?.currentFrame?.size.width, side)
                stage.assertStandsStill()
            }
            stage.view.startAnimating()
            XCTAssertTrue(stage.view.isAnimating)
            stage.advance(by: 0, to: .red)
            stage.advance(by: 100, to: .green)
            gtk_widget_set_visible(stage.view.widget, 0)
            gtk_widget_set_visible(stage.view.widget, 1)
            iterate(until: { stage.view.isAnimating }, "the playback")
            stage.advance(by: 100, to: .blue)
        }
    }
}
