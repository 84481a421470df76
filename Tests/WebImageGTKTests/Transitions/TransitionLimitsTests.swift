import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Transitions that could last forever, or cost more and more: endless, without frames, or interrupted all the time.
final class TransitionLimitsTests: GTKTestCase, @unchecked Sendable {
    func testADurationThatIsNoneChangesThePictureAtOnce() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            for duration in [Double.nan, .infinity, -.infinity, 0, -1] {
                var run = scene.run(.curlUp)
                run.duration = duration
                run.allowsUserInteraction = false
                scene.display.show(try Colour.red.image())
                scene.display.transition(to: try Colour.blue.image(), run)
                XCTAssertEqual(scene.endings.last, true, "\(duration)")
                XCTAssertFalse(scene.display.isAnimating)
                XCTAssertNotEqual(gtk_widget_get_can_target(scene.widget), 0)
                assertEqual(scene.stage.colour, .blue)
            }
        }
    }

    /// S1-8: a timing curve with NaN must not hide the picture, neither during a rotation nor during a fade.
    func testACurveThatIsNoneHidesNothing() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            for effect in [TransitionEffect.crossDissolve, .revealFromTop] {
                scene.display.show(try Colour.red.image())
                var run = scene.run(effect)
                run.timing = TimingFunction(x1: .nan, y1: .infinity, x2: .nan, y2: .nan)
                run.allowsImplicitAnimation = true
                scene.display.transition(to: try Colour.red.image(), run)
                for _ in 0..<4 {
                    scene.advance(self, by: 100_000)
                    XCTAssertEqual(scene.stage.colour.alpha, 255, effect.name)
                }
                scene.finish(self)
            }
        }
    }

    /// The setting to reduce motion takes effect at once.
    func testLessMotionEndsWhatMoves() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.start(try Colour.blue.image(), .flipFromLeft, self)
            scene.advance(self, by: 100_000)
            XCTAssertTrue(scene.display.isAnimating)
            scene.stage.setAnimations(enabled: false)
            defer { scene.stage.setAnimations(enabled: true) }
            iterate(until: { !scene.display.isAnimating }, "the end")
            XCTAssertEqual(scene.endings, [true])
            XCTAssertTrue(scene.showsStillPicture)
            assertEqual(scene.stage.colour, .blue)
        }
    }

    /// The clock of an invisible window stops: the completion of a transition must not depend on the window.
    func testATransitionEndsWhereNoFramesCome() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            var isStopped = false
            let clock = UnsafeMutableRawPointer(try XCTUnwrap(gtk_widget_get_frame_clock(scene.widget)))
            let handler = connect(clock, "update") {
                if isStopped { g_signal_stop_emission_by_name(clock, "update") }
            }
            defer { g_signal_handler_disconnect(clock, handler) }
            scene.start(try Colour.blue.image(), .curlUp, self)
            isStopped = true
            let ticks = scene.stage.ticks
            iterate(until: { !scene.display.isAnimating }, "the end without frames")
            XCTAssertEqual(scene.stage.ticks, ticks)
            XCTAssertEqual(scene.endings, [true])
            XCTAssertTrue(scene.showsStillPicture)
            assertEqual(scene.stage.colour, .blue)
        }
    }

    /// The ones in between were never drawn: they cost no drawing, and the last one starts from the current content.
    func testTransitionsThatWereNeverSeenCostNothing() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image())
            scene.start(try Colour.blue.image(), .flipFromLeft, self)
            scene.advance(self, by: 200_000)
            let seen = scene.pixels
            let image = try Colour.green.image()
            scene.display.transition(to: image, scene.run(.curlUp))
            let first = try XCTUnwrap(scene.display.captureCurrent())
            for _ in 0..<1000 { scene.display.transition(to: image, scene.run(.curlUp)) }
            let last = try XCTUnwrap(scene.display.captureCurrent())
            XCTAssertTrue(first.picture === last.picture, "it was drawn anew each time")
            XCTAssertEqual(scene.endings, Array(repeating: false, count: 1001))
            XCTAssertGreaterThanOrEqual(scene.pixels.signalToNoise(seen), 40)
            scene.advance(self, by: 0)
            scene.finish(self)
            assertEqual(scene.stage.colour, .green)
        }
    }

    /// Hundreds of transitions, each interrupting the one before: neither the drawing nor the memory grows.
    func testHundredsOfInterruptionsCostNoMoreThanOne() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let effects = TransitionEffect.all
            let live = LiveBitmaps()
            var textures: [Int] = []
            for number in 0..<300 {
                let image = try Colour(red: UInt8(number % 256), green: 0, blue: 0).image()
                live.add(image.bitmap)
                scene.display.transition(to: image, scene.run(effects[number % effects.count]))
                scene.advanceOneFrame(self, by: 50_000)
                if number >= 200 { textures.append(scene.textureCount) }
            }
            XCTAssertLessThanOrEqual(textures.max() ?? 0, 200)
            // GTK's OpenGL renderer keeps small textures for a second after their last use.
            XCTAssertLessThanOrEqual(live.count, 40)
            scene.finish(self)
            XCTAssertEqual(scene.endings.count, 300)
            XCTAssertTrue(scene.showsStillPicture)
        }
    }
}

extension DisplayScene {
    /// As ``advance(_:by:)``, but for one frame only.
    fileprivate func advanceOneFrame(_ test: GTKTestCase, by microseconds: Int64) {
        // The first frame of a transition is its beginning.
        for _ in 0..<2 {
            stage.time += microseconds
            let ticks = stage.ticks
            test.iterate(until: { stage.ticks > ticks }, "a frame")
        }
    }

    /// The number of textures in a frame.
    fileprivate var textureCount: Int {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)),
            let node = Pixels.node({ gdk_paintable_snapshot(paintable, $0, 64, 64) })
        else { return 0 }
        defer { gsk_render_node_unref(node) }
        return node.textureCount
    }
}
