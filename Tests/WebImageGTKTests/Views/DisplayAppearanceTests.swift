import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Alpha, transform and input of a display, at rest and in transitions.
final class DisplayAppearanceTests: GTKTestCase, @unchecked Sendable {
    func testOutsideOfTransitionsAlphaIsSeenAtOnce() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image())
            scene.display.appearance.alpha = 0.5
            assertEqual(scene.stage.colour, Colour(red: 128, green: 0, blue: 0, alpha: 128))
            scene.display.show(try Colour.blue.image())
            assertEqual(scene.stage.colour, Colour(red: 0, green: 0, blue: 128, alpha: 128))
            scene.display.appearance.alpha = 1
            assertEqual(scene.stage.colour, .blue)
            XCTAssertTrue(scene.showsStillPicture)
        }
    }

    /// S4-7: turned upside down before the picture comes, and upright again with it.
    func testAPictureTurnsWhileItComes() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let picture = Image(bitmap: try SamplePicture.make(0, width: 64, height: 64))
            scene.display.show(picture)
            let upright = scene.pixels
            scene.display.appearance.transform.rotation = .pi
            XCTAssertGreaterThan(scene.pixels.signalToNoise(upright.turnedUpsideDown), 45)

            var run = scene.run(nil)
            run.allowsImplicitAnimation = true
            scene.display.transition(run) {
                scene.display.show(picture)
                scene.display.appearance = ViewAppearance()
            }
            XCTAssertGreaterThan(scene.pixels.signalToNoise(upright.turnedUpsideDown), 45)
            scene.advance(self, by: 0)
            scene.advance(self, by: 500_000)
            let half = scene.pixels
            XCTAssertLessThan(half.signalToNoise(upright), 30)
            XCTAssertLessThan(half.signalToNoise(upright.turnedUpsideDown), 30)
            scene.finish(self)
            XCTAssertEqual(scene.pixels.signalToNoise(upright), .infinity)
            XCTAssertEqual(scene.endings, [true])
        }
    }

    /// S4-7: neither rotated nor faded, as it was midway when the picture came.
    func testAPictureThatInterruptsAChangeOfAppearanceIsSeenAsItWasToBeInTheEnd() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            for interrupts in [Colour.blue, nil] as [Colour?] {
                scene.display.show(try Colour.red.image())
                scene.display.appearance = ViewAppearance(
                    alpha: 0, transform: ViewTransform(rotation: .pi))
                var run = scene.run(nil)
                run.allowsImplicitAnimation = true
                scene.display.transition(run) { scene.display.appearance = ViewAppearance() }
                scene.advance(self, by: 0)
                scene.advance(self, by: 500_000)
                assertEqual(scene.stage.colour, Colour(red: 128, green: 0, blue: 0, alpha: 128))
                scene.display.show(try interrupts?.image())
                if interrupts == nil { scene.display.show(try Colour.blue.image()) }
                assertEqual(scene.stage.colour, .blue)
                XCTAssertTrue(scene.showsStillPicture)
            }
            XCTAssertEqual(scene.endings, [false, false])
        }
    }

    func testAlphaMovesOnlyWhereThatIsAllowed() throws {
        try onMainThread {
            for isAllowed in [true, false] {
                let scene = try DisplayScene(self)
                defer { scene.stage.close() }
                scene.display.show(try Colour.red.image())
                var run = scene.run(nil)
                run.allowsImplicitAnimation = isAllowed
                scene.display.transition(run) { scene.display.appearance.alpha = 0 }
                scene.advance(self, by: 0)
                scene.advance(self, by: 500_000)
                let half = Colour(red: 128, green: 0, blue: 0, alpha: 128)
                assertEqual(scene.stage.colour, isAllowed ? half : .clear)
                // Another transition continues from there.
                var back = scene.run(nil)
                back.allowsImplicitAnimation = isAllowed
                scene.display.transition(back) { scene.display.appearance.alpha = 1 }
                assertEqual(scene.stage.colour, isAllowed ? half : .red)
                scene.advance(self, by: 0)
                scene.finish(self)
                assertEqual(scene.stage.colour, .red)
            }
        }
    }

    func testInputIsHeldBackUntilTheEndUnlessItIsAllowed() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            @MainActor func isTarget() -> Bool { gtk_widget_get_can_target(scene.widget) != 0 }
            scene.start(try Colour.red.image(), .curlUp, self)
            XCTAssertTrue(isTarget())

            var run = scene.run(.curlUp)
            run.allowsUserInteraction = false
            scene.display.transition(to: try Colour.blue.image(), run)
            XCTAssertFalse(isTarget())
            // An interruption by another such transition does not leave a gap.
            scene.display.transition(to: try Colour.red.image(), run)
            XCTAssertFalse(isTarget())
            scene.advance(self, by: 0)
            scene.finish(self)
            XCTAssertTrue(isTarget())

            gtk_widget_set_can_target(scene.widget, 0)
            scene.display.transition(to: try Colour.blue.image(), run)
            scene.advance(self, by: 0)
            scene.finish(self)
            XCTAssertFalse(isTarget(), "a widget without input has got it")
        }
    }

    func testHoldsOfOneWidgetMayOverlap() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let first = InputHold(scene.widget)
            let second = InputHold(scene.widget)
            first.release()
            first.release()
            XCTAssertEqual(gtk_widget_get_can_target(scene.widget), 0)
            second.release()
            XCTAssertEqual(gtk_widget_get_can_target(scene.widget), 1)
        }
    }
}

extension Pixels {
    fileprivate var turnedUpsideDown: Pixels {
        var turned = self
        for y in 0..<size.height {
            for x in 0..<size.width { turned[x, y] = self[size.width - 1 - x, size.height - 1 - y] }
        }
        return turned
    }
}
