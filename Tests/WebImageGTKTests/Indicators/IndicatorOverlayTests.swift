import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// An indicator over a `GtkPicture` in a real window.
final class IndicatorOverlayTests: GTKTestCase, @unchecked Sendable {
    /// IND-4: over the picture, in the middle, also when the view gets another size.
    func testItLiesInTheMiddleOfThePicture() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            stage.view.image = try Colour.blue.image()
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            assertCentred(stage, on: .blue)
            gtk_widget_set_size_request(stage.widgets[0], 101, 80)
            assertCentred(stage, on: .blue)
        }
    }

    /// IND-4: one that asks for no size gets the view's.
    func testOneWithoutASizeGetsThatOfTheView() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            let indicator = try TestIndicator(side: 0)
            let overlay = overlay(on: stage)
            overlay.indicator = indicator
            overlay.start()
            stage.finishFrame(in: self)
            XCTAssertEqual(gtk_widget_get_width(indicator.indicatorView), gtk_widget_get_width(stage.widgets[0]))
            XCTAssertEqual(gtk_widget_get_height(indicator.indicatorView), gtk_widget_get_height(stage.widgets[0]))
        }
    }

    /// The picture lies elsewhere in the view with each of these, the indicator does not.
    func testItLiesInTheMiddleHoweverThePictureIsFitted() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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

    /// IND-5: what is seen comes with the start and goes with the end.
    func testItIsGoneWhenTheLoadHasEnded() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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
            display.fadeIn(over: former, FadeTransition(duration: 1, timing: .linear))
            stage.time += 500_000
            assertCentred(stage)
            XCTAssertTrue(display.isAnimating)
            display.finishTransition()
            assertCentred(stage, on: .green)
        }
    }

    /// The app may set a paintable of its own at any time.
    func testWhatTheAppShowsMeanwhileIsCoveredTooAndStays() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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

    // MARK: Setting and removing

    /// IND-4: setting another one keeps exactly one.
    func testAnotherOneTakesItsPlace() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            let overlay = overlay(on: stage)
            let (first, second) = (try TestIndicator(.red), try TestIndicator(.green))
            overlay.indicator = first
            overlay.start()
            overlay.update(progress: 0.5)
            overlay.indicator = second
            XCTAssertEqual(stage.widgets[0].children, [second.indicatorView])
            XCTAssertNil(gtk_widget_get_parent(first.indicatorView))
            XCTAssertEqual(first.events, [.start, .progress(0.5), .stop])
            XCTAssertEqual(second.events, [.start, .progress(0.5)])
            let rendering = stage.drawn(stage.widgets[0], in: self)
            XCTAssertNil(rendering.bounds(of: .red))
            XCTAssertNotNil(rendering.bounds(of: .green))
        }
    }

    /// IND-4: nothing of it is left when it is removed.
    func testRemovingItLeavesTheWidgetAsItWas() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            stage.view.image = try Colour.blue.image()
            let picture = OpaquePointer(stage.widgets[0])
            let former = gtk_picture_get_paintable(picture)
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            XCTAssertNotEqual(gtk_picture_get_paintable(picture), former)
            overlay.indicator = nil
            XCTAssertEqual(gtk_picture_get_paintable(picture), former)
            XCTAssertNil(gtk_widget_get_layout_manager(stage.widgets[0]))
            XCTAssertEqual(stage.widgets[0].children, [])
            XCTAssertNil(stage.drawn(stage.widgets[0], in: self).bounds(of: .red))
        }
    }

    func testOneThatIsGivenToAnotherViewLeavesItsFormerOne() throws {
        try onMainThread {
            let stage = try staged(pictures: 2)
            defer { stage.close() }
            let (first, second) = (overlay(on: stage, 0), overlay(on: stage, 1))
            let indicator = try TestIndicator()
            first.indicator = indicator
            first.start()
            second.indicator = indicator
            XCTAssertNil(first.indicator)
            XCTAssertEqual(gtk_widget_get_parent(indicator.indicatorView), stage.widgets[1])
            XCTAssertEqual(stage.widgets[0].children, [])
            XCTAssertEqual(indicator.events.last, .stop)
        }
    }

    func testAWidgetThatTheAppHasPutSomewhereStaysThere() throws {
        try onMainThread {
            let stage = try staged(pictures: 2)
            defer { stage.close() }
            let shared = CustomIndicator(stage.widgets[1])
            let parent = gtk_widget_get_parent(stage.widgets[1])
            let overlay = overlay(on: stage)
            overlay.indicator = shared
            overlay.start()
            XCTAssertEqual(gtk_widget_get_parent(stage.widgets[1]), parent)
            XCTAssertNotEqual(gtk_widget_get_visible(stage.widgets[1]), 0)
            overlay.stop()
            XCTAssertEqual(gtk_widget_get_visible(stage.widgets[1]), 0)
            overlay.indicator = nil
            XCTAssertEqual(gtk_widget_get_parent(stage.widgets[1]), parent)
        }
    }

    func testAViewIsNotItsOwnIndicator() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            let messages = Recorder<String>()
            WebImageLog.setHandler { messages.append($0) }
            defer { WebImageLog.setHandler(nil) }
            overlay(on: stage).indicator = CustomIndicator(stage.widgets[0])
            XCTAssertEqual(messages.values.count, 1)
        }
    }

    /// Progress that makes no sense is made to.
    func testProgressIsKeptWithinItsBounds() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
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

    // MARK: The widget's life

    func testTheWidgetMayBeDestroyedWhileItIsShown() throws {
        try onMainThread {
            let stage = try staged()
            let indicator = ActivityIndicator.large
            let overlay = overlay(on: stage)
            overlay.indicator = indicator
            overlay.start()
            stage.finishFrame(in: self)
            stage.close()
            XCTAssertNil(gtk_widget_get_parent(indicator.indicatorView))
            XCTAssertNil(overlay.indicator)
        }
    }

    /// Somebody keeps the dead widget.
    func testADestroyedWidgetTakesNoIndicator() throws {
        try onMainThread {
            let stage = try staged()
            let widget = stage.widgets[0]
            g_object_ref(UnsafeMutableRawPointer(widget))
            defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            stage.remove(widget)
            g_object_run_dispose(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self))
            stage.close()
            let late = try TestIndicator()
            overlay.indicator = late
            overlay.start()
            XCTAssertNil(gtk_widget_get_parent(late.indicatorView))
            XCTAssertEqual(late.events, [])
        }
    }

    func testTheWidgetMayBeTakenOutAndPutElsewhereWhileItIsShown() throws {
        try onMainThread {
            let (stage, other) = (try staged(), Stage(pictures: 0))
            defer { other.close() }
            let widget = stage.widgets[0]
            g_object_ref(UnsafeMutableRawPointer(widget))
            defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
            let overlay = overlay(on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            stage.finishFrame(in: self)
            stage.remove(widget)
            stage.close()
            other.add(widget)
            assertCentred(other)
        }
    }

    /// Setting, replacing, removing, starting and stopping in any order leaves nothing behind.
    func testAThousandIndicatorsLeaveNothing() throws {
        try onMainThread {
            let stage = try staged()
            defer { stage.close() }
            let live = LiveObjects()
            let overlay = overlay(on: stage)
            let pictures = try [Colour.red, .blue].map { try $0.image() }
            stage.finishFrame(in: self)
            for round in 0..<1_000 {
                let indicator: any WebImageIndicator =
                    switch round % 4 {
                    case 0: ActivityIndicator.gray
                    case 1: ProgressIndicator.bar
                    case 2: CircularProgressIndicator.medium
                    default: CustomIndicator(gtk_label_new("…"))
                    }
                live.watch(UnsafeMutableRawPointer(indicator.indicatorView))
                overlay.indicator = indicator
                gtk_widget_get_layout_manager(stage.widgets[0]).map { live.watch(UnsafeMutableRawPointer($0)) }
                overlay.start()
                stage.view.image = pictures[round % 2]
                gtk_picture_get_paintable(OpaquePointer(stage.widgets[0])).map {
                    live.watch(UnsafeMutableRawPointer($0))
                }
                if round % 3 == 0 { overlay.stop() }
                if round % 5 == 0 { overlay.indicator = nil }
                if round % 100 == 0 { stage.finishFrame(in: self) }
            }
            overlay.indicator = nil
            stage.view.image = nil
            stage.finishFrame(in: self)
            XCTAssertEqual(live.watched, 3_000)
            XCTAssertEqual(live.count, 0)
        }
    }

    @MainActor
    private func staged(pictures: Int = 1) throws -> Stage {
        try requireDisplay()
        return Stage(pictures: pictures)
    }

    @MainActor
    private func overlay(on stage: Stage, _ index: Int = 0) -> IndicatorOverlay {
        let widget = stage.widgets[index]
        let overlay = IndicatorOverlay(over: widget, showing: PictureTarget(widget: widget))
        stage.keep(overlay)
        return overlay
    }

    /// That the red indicator is in the middle of the view, as large as it is.
    @MainActor
    private func assertCentred(
        _ stage: Stage, side: Int = 10, on background: Colour? = nil, file: StaticString = #filePath, line: UInt = #line
    ) {
        let rendering = stage.drawn(stage.widgets[0], in: self)
        let (left, top) = ((rendering.width - side) / 2, (rendering.height - side) / 2)
        XCTAssertEqual(
            rendering.bounds(of: .red),
            Rendering.Bounds(left: left, top: top, right: left + side - 1, bottom: top + side - 1), file: file,
            line: line)
        if let background {
            XCTAssertEqual(rendering.colour(x: left - 1, y: top), background, file: file, line: line)
            XCTAssertEqual(rendering.colour(x: left + side, y: top + side), background, file: file, line: line)
        }
    }

    /// Smallest and natural width, smallest and natural height.
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
