import CGtk4
import WebImage
import WebImageTestSupport
import XCTest

@testable import WebImageGTK

/// Transitions of a display in a real window, whose clock the test moves.
final class DisplayTransitionTests: GTKTestCase, @unchecked Sendable {
    /// GTK's OpenGL renderer keeps smaller textures for a second after their last use.
    private static let side = 130

    /// TRN-4
    func testAtItsEndThereIsThePictureAndNothingOfTheOldOne() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            weak var former: Bitmap?
            try { () throws in
                let old = try Colour.red.image(width: Self.side, height: Self.side)
                former = old.bitmap
                scene.display.show(old)
            }()
            var progress: [Double] = []
            var run = scene.run(.flipFromLeft)
            run.onFrame = { progress.append($0) }
            scene.display.transition(to: try Colour.blue.image(), run)
            XCTAssertNotNil(former)
            scene.advance(self, by: 0)
            scene.advance(self, by: 250_000)
            XCTAssertEqual(progress.last ?? 0, 0.25, accuracy: 1e-6)
            XCTAssertEqual(scene.endings, [])
            scene.finish(self)
            XCTAssertEqual(scene.endings, [true])
            XCTAssertEqual(progress.last, 1)
            XCTAssertEqual(progress.filter { $0 == 1 }.count, 1)
            assertEqual(scene.stage.colour, .blue)
            scene.advanceFrames(self)
            XCTAssertNil(former)
            XCTAssertTrue(scene.showsStillPicture)
        }
    }

    /// C9: a transition that interrupts another begins with its current frame, to the pixel.
    func testAnInterruptedTransitionGoesOnFromWhatIsSeen() throws {
        try onMainThread {
            for first in [TransitionEffect.crossDissolve, .flipFromLeft, .curlUp, .pushFromTop, .zoom] {
                let scene = try DisplayScene(self)
                defer { scene.stage.close() }
                scene.display.show(Image(bitmap: try SamplePicture.make(0, width: 96, height: 60)))
                scene.start(Image(bitmap: try SamplePicture.make(1, width: 60, height: 80)), first, self)
                scene.advance(self, by: 400_000)
                let seen = scene.pixels
                for next in [TransitionEffect.crossDissolve, .curlUp] {
                    scene.display.transition(to: try Colour.green.image(), scene.run(next))
                    XCTAssertEqual(scene.endings.count, next.name == "curlUp" ? 2 : 1)
                    XCTAssertEqual(scene.endings.last, false)
                    let ratio = scene.pixels.signalToNoise(seen)
                    XCTAssertGreaterThanOrEqual(ratio, 40, "\(first.name) interrupted by \(next.name)")
                }
                scene.advance(self, by: 0)
                scene.finish(self)
                XCTAssertEqual(scene.endings, [false, false, true])
                assertEqual(scene.stage.colour, .green)
            }
        }
    }

    func testAnInvisibleTransitionEndsAtOnce() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            var short = scene.run(.curlUp)
            short.duration = 0
            scene.display.transition(to: try Colour.blue.image(), short)
            XCTAssertEqual(scene.endings, [true])
            assertEqual(scene.stage.colour, .blue)

            gtk_widget_set_visible(scene.widget, 0)
            scene.display.transition(to: try Colour.red.image(), scene.run(.curlUp))
            XCTAssertEqual(scene.endings, [true, true])
            XCTAssertFalse(scene.display.isAnimating)
            assertEqual(scene.stage.colour, .red)
        }
    }

    func testAViewWithoutASizeShowsThePictureAtOnce() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            gtk_widget_set_size_request(scene.widget, 0, 0)
            gtk_widget_set_halign(scene.widget, GTK_ALIGN_START)
            gtk_widget_set_valign(scene.widget, GTK_ALIGN_START)
            gtk_picture_set_can_shrink(OpaquePointer(scene.widget), 1)
            scene.display.show(nil)
            iterate(until: { gtk_widget_get_width(scene.widget) == 0 }, "the size")
            scene.display.transition(to: try Colour.blue.image(), scene.run(.flipFromTop))
            XCTAssertEqual(scene.endings, [true])
            assertEqual(scene.stage.colour, .blue)
        }
    }

    func testHidingTheViewEndsTheTransition() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.start(try Colour.blue.image(), .curlDown, self)
            gtk_widget_set_visible(scene.widget, 0)
            XCTAssertEqual(scene.endings, [true])
            assertEqual(scene.stage.colour, .blue)
        }
    }

    func testDestroyingTheViewInterruptsTheTransition() throws {
        try onMainThread {
            let scene = try DisplayScene(self, pictures: 2)
            defer { scene.stage.close() }
            scene.start(try Colour.blue.image(), .curlUp, self)
            scene.forget()
            scene.stage.remove(scene.widget)
            XCTAssertEqual(scene.endings.count, 1)
        }
    }

    /// The end of one transition, and the changes and the frames of another, may destroy their widget.
    func testTheAppMayDestroyTheViewWheneverItIsCalled() throws {
        try onMainThread {
            for moment in 0..<3 {
                let scene = try DisplayScene(self, pictures: 2)
                defer { scene.stage.close() }
                var isThere = true
                // Outside of its window, the transition jumps to its end and calls its completion.
                let destroy = {
                    guard isThere else { return }
                    isThere = false
                    scene.stage.remove(scene.widget)
                }
                var first = scene.run(.curlUp)
                if moment == 0 { first.finished = { _ in destroy() } }
                scene.display.transition(to: try Colour.blue.image(), first)
                scene.advance(self, by: 0)
                var second = scene.run(.zoom)
                if moment == 2 { second.onFrame = { _ in destroy() } }
                scene.display.transition(second) { if moment == 1 { destroy() } }
                iterate(until: { !scene.display.isAnimating }, "the end")
                XCTAssertEqual(scene.endings.count, moment == 0 ? 1 : 2, "moment \(moment)")
                scene.display.show(nil)
                scene.display.appearance.alpha = 0.5
                XCTAssertNil(scene.display.captureCurrent())
            }
        }
    }

    /// Content that draws itself is rendered once, when parts of it are needed.
    func testAPaintableOfTheAppIsTurnedOverLikeAPicture() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let drawing = CountedContent()
            let own = PaintableHandle(drawing)
            gtk_picture_set_paintable(OpaquePointer(scene.widget), own.pointer)
            let before = scene.pixels
            drawing.drawings = 0
            scene.start(try Colour.blue.image(), .flipFromLeft, self)
            XCTAssertGreaterThanOrEqual(scene.pixels.signalToNoise(before), 45)
            scene.advance(self, by: 250_000)
            let drawings = drawing.drawings
            for _ in 0..<3 { scene.advance(self, by: 20_000) }
            XCTAssertEqual(drawing.drawings, drawings, "it was drawn again for each frame")
            XCTAssertLessThan(scene.pixels.signalToNoise(before), 25)
            assertEqual(scene.stage.colour, .green, accuracy: 120)
            scene.finish(self)
        }
    }

    /// A widget that is removed from its window and put back continues its transition.
    func testAViewMayChangeItsPlaceInATransition() throws {
        try onMainThread {
            let scene = try DisplayScene(self, pictures: 2)
            defer { scene.stage.close() }
            scene.start(try Colour.blue.image(), .flipFromLeft, self)
            g_object_ref(UnsafeMutableRawPointer(scene.widget))
            scene.stage.remove(scene.widget)
            XCTAssertEqual(scene.endings, [true])
            XCTAssertTrue(scene.showsStillPicture)
            scene.stage.putBack(scene.widget)
            g_object_unref(UnsafeMutableRawPointer(scene.widget))
            iterate(until: { scene.stage.isOnScreen }, "the widget in its new place")
            scene.start(try Colour.green.image(), .flipFromLeft, self)
            XCTAssertTrue(scene.display.isAnimating)
            scene.finish(self)
            XCTAssertEqual(scene.endings, [true, true])
            assertEqual(scene.stage.colour, .green)
        }
    }

    func testAnEndMayBeginAnotherTransition() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let green = try Colour.green.image()
            var run = scene.run(.zoom)
            run.finished = { _ in scene.display.transition(to: green, scene.run(.zoom)) }
            scene.display.transition(to: try Colour.blue.image(), run)
            scene.advance(self, by: 0)
            // The transition that begins at the end of the first one overtakes this one.
            scene.display.transition(to: try Colour.red.image(), scene.run(.curlUp))
            XCTAssertTrue(scene.display.isAnimating)
            scene.advance(self, by: 0)
            scene.finish(self)
            XCTAssertEqual(scene.endings.count, 2)
            XCTAssertEqual(scene.endings.last, true)
        }
    }

    /// A transition can also lead to a paintable that the app sets, which stays.
    func testATransitionMayLeadToAPaintableOfTheApp() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            scene.display.show(try Colour.red.image())
            let own = PaintableHandle(StillContent(try Colour.green.image()))
            scene.display.transition(scene.run(.flipFromLeft)) {
                gtk_picture_set_paintable(OpaquePointer(scene.widget), own.pointer)
            }
            scene.advance(self, by: 0)
            assertEqual(scene.stage.colour, .red)
            XCTAssertNil(scene.display.image)
            scene.finish(self)
            XCTAssertEqual(gtk_picture_get_paintable(OpaquePointer(scene.widget)), own.pointer)
        }
    }

    /// A hundred transitions leave nothing: each releases its former picture.
    func testNothingIsLeftOfManyTransitions() throws {
        try onMainThread {
            let scene = try DisplayScene(self)
            defer { scene.stage.close() }
            let live = LiveBitmaps()
            for number in 0..<60 {
                let effects = TransitionEffect.all
                let image = try Colour(red: UInt8(number), green: 0, blue: 0).image(width: Self.side, height: Self.side)
                live.add(image.bitmap)
                scene.display.transition(to: image, scene.run(effects[number % effects.count]))
                if number.isMultiple(of: 3) { scene.advance(self, by: 100_000) }
            }
            scene.advance(self, by: 0)
            scene.finish(self)
            scene.advanceFrames(self)
            XCTAssertEqual(live.count, 1)
            scene.display.show(nil)
            scene.advanceFrames(self)
            XCTAssertEqual(live.count, 0)
            XCTAssertEqual(scene.endings.count, 60)
            XCTAssertEqual(scene.endings.filter { $0 }.count, 1)
        }
    }
}

/// A green drawing that counts its draws.
@MainActor
private final class CountedContent: PaintableContent {
    var drawings = 0
    let intrinsicSize = PointSize(width: 64, height: 64)
    let isImmutable = false

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        drawings += 1
        let green = RGBAColor(red: 0, green: 255, blue: 0)
        let frame = PointRect(x: 0, y: 0, width: width, height: height)
        Snapshot(pointer: snapshot).fill(frame, from: green, to: green, axis: .horizontal)
    }

    func frozen() -> any PaintableContent { self }
}
