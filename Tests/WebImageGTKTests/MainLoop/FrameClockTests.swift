import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The time of animations, which is that of GTK's frames.
final class FrameClockTests: TransitionTestCase, @unchecked Sendable {
    /// C8: the frame clock's time stamps, counted from the first frame, at which no time has passed.
    func testTimeIsTheFrameClocks() throws {
        try onScreen { stage, _ in
            var (times, steps): ([Int64], [Double]) = ([], [])
            var hasEnded = false
            let animation = FrameAnimation(
                on: stage.widgets[0], timeline: AnimationTimeline(duration: 0.2, timing: .linear),
                time: { clock in
                    let time = FrameAnimation.frameTime(clock)
                    XCTAssertEqual(time, Int64(gdk_frame_clock_get_frame_time(clock)))
                    times.append(time)
                    return time
                }, step: { steps.append($0) }, ended: { hasEnded = true })
            iterate(until: { hasEnded }, "the end")
            XCTAssertFalse(animation.isRunning)
            XCTAssertEqual(steps.first, 0)
            XCTAssertGreaterThan(steps.count, 2)
            XCTAssertEqual(times.count, steps.count + 1, "one reading for each frame, the last included")
            for (time, step) in zip(times, steps) {
                XCTAssertEqual(step, Double(time - times[0]) / 200_000, accuracy: 1e-6)
            }
            XCTAssertGreaterThanOrEqual((times.last ?? 0) - times[0], 200_000)
        }
    }

    /// C8: a widget that is unmapped has no frames: what moves in it ends at once, and reads no time any more.
    func testAnUnmappedWidgetHasNoFrames() throws {
        try onScreen { stage, test in
            var endings: [Bool] = []
            var transition = WidgetTransition.fade
            transition.completion = { endings.append($0) }
            stage.view.imageTransition = transition
            begin(stage, test, "a")
            gtk_widget_set_visible(stage.widgets[0], 0)
            XCTAssertEqual(endings, [true])
            XCTAssertFalse(stage.display.isAnimating)
            let ticks = stage.ticks
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.ticks, ticks)
            stage.view.setImage(with: test.url("b"), context: test.context)
            test.finish(test.url("b"), .green)
            iterate(until: { stage.view.image?.colour == .green }, "the picture")
            XCTAssertEqual(stage.ticks, ticks, "what cannot be seen is set at once")
            gtk_widget_set_visible(stage.widgets[0], 1)
            iterate(until: { stage.isOnScreen }, "the picture is seen again")
            begin(stage, test, "c")
            XCTAssertGreaterThan(stage.ticks, ticks)
            end(stage)
        }
    }
}
