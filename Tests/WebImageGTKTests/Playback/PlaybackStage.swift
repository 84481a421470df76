import CGtk4
import WebImage
import WebImageTestLoads
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

extension GTKTestCase {
    /// Runs `body` with pictures on the screen whose animations follow a clock of the test's.
    func onPlaybackStage(pictures count: Int = 1, _ body: @MainActor (PlaybackStage) throws -> Void) throws {
        try onMainThread {
            let stage = try PlaybackStage(self, pictures: count)
            defer { stage.stage.close() }
            try body(stage)
        }
    }
}

extension Stage {
    /// The colours in the centres of all pictures' drawings.
    var colours: [Colour] {
        widgets.map { widget in
            guard let paintable = gtk_picture_get_paintable(OpaquePointer(widget)) else { return .clear }
            return Rendering(paintable, width: 8, height: 8).colour(x: 4, y: 4)
        }
    }
}

/// The parts of an animation while it arrives.
struct GrowingLights {
    func image(frameCount: Int, isIncremental: Bool) throws -> Image {
        let animation = ScriptedAnimation(frameCount)
        var metadata = ImageMetadata(frameCount: frameCount)
        metadata.isIncremental = isIncremental
        return Image(bitmap: try animation.frame(at: 0), metadata: metadata, animation: animation)
    }
}
