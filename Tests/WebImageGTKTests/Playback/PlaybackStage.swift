import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// A window with one picture on the screen, whose animations follow a clock of the test's.
@MainActor
final class PlaybackStage {
    let clock = ManualAnimationClock()
    let stage: Stage
    private let test: GTKTestCase

    init(_ test: GTKTestCase, pictures count: Int = 1) throws {
        try test.requireDisplay()
        self.test = test
        stage = Stage(pictures: count)
        for widget in stage.widgets { Coordinator.of(widget).display.playbackClock = clock }
        stage.present(in: test)
    }

    var view: PictureView { stage.view }
    func display(_ number: Int = 0) -> PaintableDisplay { Coordinator.of(stage.widgets[number]).display }

    /// Lets time pass, and waits for the frame that is due.
    func advance(by milliseconds: Int, to colour: Colour, line: UInt = #line) {
        clock.advance(by: .milliseconds(milliseconds))
        test.iterate(until: { stage.colour == colour }, "the next frame", line: line)
    }

    /// Lets much time pass, in which nothing may happen.
    func assertStandsStill(line: UInt = #line) {
        let colour = stage.colour
        for _ in 0..<30 { clock.advance(by: .milliseconds(70)) }
        XCTAssertEqual(clock.pendingCount, 0, "no call is arranged", line: line)
        XCTAssertEqual(stage.colour, colour, line: line)
    }
}

extension Image {
    /// Red, green and blue, a tenth of a second each.
    static func lights(loopCount: Int = 0, side: Int = 8) throws -> Image {
        let frames = try [Colour.red, .green, .blue].map {
            ImageFrame(bitmap: try $0.image(width: side, height: side).bitmap, duration: .milliseconds(100))
        }
        return try XCTUnwrap(Image(frames: frames, loopCount: loopCount))
    }
}
