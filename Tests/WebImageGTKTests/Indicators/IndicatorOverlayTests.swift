import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// An indicator over a `GtkPicture` in a real window.
final class IndicatorOverlayTests: OverlayTestCase, @unchecked Sendable {
    /// IND-4: centred over the picture, also when the view is resized.
    func testItLiesInTheMiddleOfThePicture() throws {
        try onStage { stage, _ in
            stage.view.image = try Colour.blue.image()
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            assertCentred(stage, on: .blue)
            gtk_widget_set_size_request(stage.widgets[0], 101, 80)
            assertCentred(stage, on: .blue)
        }
    }

    /// IND-4: an indicator without a size gets the view's.
    func testOneWithoutASizeGetsThatOfTheView() throws {
        try onStage { stage, _ in
            let indicator = try TestIndicator(side: 0)
            let overlay = overlay(on: stage)
            overlay.indicator = indicator
            overlay.start()
            stage.finishFrame(in: self)
            XCTAssertEqual(gtk_widget_get_width(indicator.indicatorView), gtk_widget_get_width(stage.widgets[0]))
            XCTAssertEqual(gtk_widget_get_height(indicator.indicatorView), gtk_widget_get_height(stage.widgets[0]))
        }
    }

    /// Each of these changes the picture's place in the view, not the indicator's.
    func testItLiesInTheMiddleHoweverThePictureIsFitted() throws {
        try onStage { stage, _ in
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            gtk_widget_set_size_request(stage.widgets[0], 90, 64)
            let pictures = try [(64, 16), (16, 64), (7, 7), (200, 150)].map {
                try Colour.blue.image(width: $0.0, height: $0.1)
            }
            for fit in [
                GTK_CONTENT_FIT_FILL, GTK_CONTENT_FIT_CONTAIN, GTK_CONTENT_FIT_COVER, GTK_CONTENT_FIT_SCALE_DOWN,
            ] {
                gtk_picture_set_content_fit(OpaquePointer(stage.widgets[0]), fit)
                for picture in pictures {
                    stage.view.image = picture
                    assertCentred(stage)
                }
            }
        }
    }

    func testItIsSeenWhereTheViewShowsNothingAndDoesNotMakeTheViewLarger() throws {
        try onStage { stage, _ in
            gtk_widget_set_size_request(stage.widgets[0], -1, -1)
            let empty = sizes(of: stage.widgets[0])
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator(side: 30)
            overlay.start()
            XCTAssertEqual(sizes(of: stage.widgets[0]), empty)
            XCTAssertNil(stage.view.image)
            gtk_widget_set_size_request(stage.widgets[0], 64, 64)
            assertCentred(stage, side: 30)
            stage.view.image = try Colour.blue.image(width: 100, height: 90)
            let covered = sizes(of: stage.widgets[0])
            overlay.stop()
            XCTAssertEqual(sizes(of: stage.widgets[0]), covered)
        }
    }

    /// IND-5: it shows from the start to the end.
    func testItIsGoneWhenTheLoadHasEnded() throws {
        try onStage { stage, _ in
            stage.view.image = try Colour.blue.image()
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            XCTAssertNil(stage.drawn(stage.widgets[0], in: self).bounds(of: .red))
            overlay.start()
            assertCentred(stage, on: .blue)
            overlay.stop()
            XCTAssertNil(stage.drawn(stage.widgets[0], in: self).bounds(of: .red))
        }
    }

    func testItIsSeenDuringAFadeAndIsNoPartOfThePictureThatFades() throws {
        try onStage { stage, _ in
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            stage.view.image = try Colour.blue.image()
            stage.finishFrame(in: self)
            let display = Coordinator.of(stage.widgets[0]).display
            let covered = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])))
            let picture = PaintableHandle(currentImageOf: covered)
            XCTAssertEqual(Rendering(picture, width: 64, height: 64).colour(x: 32, y: 32), .blue)
            let former = try XCTUnwrap(display.captureCurrent())
            display.show(try Colour.green.image())
            display.fadeIn(over: former, FadeTransition(duration: .seconds(1), timing: .linear))
            stage.time += 500_000
            assertCentred(stage)
            XCTAssertTrue(display.isAnimating)
            display.finishTransition()
            assertCentred(stage, on: .green)
        }
    }

    /// The app may set a paintable of its own at any time.
    func testWhatTheAppShowsMeanwhileIsCoveredTooAndStays() throws {
        try onStage { stage, _ in
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            let picture = OpaquePointer(stage.widgets[0])
            let content = SwitchedContent(.blue)
            let own = PaintableHandle(content)
            gtk_picture_set_paintable(picture, own.pointer)
            assertCentred(stage, on: .blue)
            content.colour = .green
            own.invalidateContents()
            assertCentred(stage, on: .green)
            overlay.stop()
            XCTAssertEqual(gtk_picture_get_paintable(picture), own.pointer)
        }
    }

    /// Invalid progress is clamped.
    func testProgressIsKeptWithinItsBounds() throws {
        try onStage { stage, _ in
            let indicator = try TestIndicator()
            let overlay = overlay(on: stage)
            overlay.indicator = indicator
            overlay.update(progress: 0.1)
            overlay.start()
            overlay.start()
            for progress in [-1, 0.5, 2, .nan, .infinity] { overlay.update(progress: progress) }
            overlay.stop()
            overlay.stop()
            overlay.update(progress: 0.2)
            XCTAssertEqual(
                indicator.events,
                [.start, .progress(0), .progress(0.5), .progress(1), .progress(0), .progress(1), .stop])
        }
    }

    /// The minimum and natural width, and the minimum and natural height.
    @MainActor
    private func sizes(of widget: UnsafeMutablePointer<GtkWidget>) -> [Int32] {
        [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL].flatMap { orientation in
            var (minimum, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(widget, orientation, -1, &minimum, &natural, nil, nil)
            return [minimum, natural]
        }
    }
}

/// One colour after another.
@MainActor
private final class SwitchedContent: PaintableContent {
    var colour: GdkRGBA
    init(_ colour: GdkRGBA) { self.colour = colour }

    let intrinsicSize = PointSize(width: 8, height: 8)
    let isImmutable = false

    func draw(_ snapshot: OpaquePointer, width: Double, height: Double) {
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(width), height: Float(height)))
        gtk_snapshot_append_color(snapshot, &colour, &bounds)
    }

    func frozen() -> any PaintableContent { self }
}

extension GdkRGBA {
    fileprivate static var blue: GdkRGBA { GdkRGBA(red: 0, green: 0, blue: 1, alpha: 1) }
    fileprivate static var green: GdkRGBA { GdkRGBA(red: 0, green: 1, blue: 0, alpha: 1) }
}
