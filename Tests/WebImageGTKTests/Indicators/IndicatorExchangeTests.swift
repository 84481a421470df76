import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Indicators that are set, replaced, moved to another view and removed.
final class IndicatorExchangeTests: OverlayTestCase, @unchecked Sendable {
    /// IND-4: replacing it leaves exactly one.
    func testAnotherOneTakesItsPlace() throws {
        try onStage { stage, _ in
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

    /// IND-4: removing it leaves nothing.
    func testRemovingItLeavesTheWidgetAsItWas() throws {
        try onStage { stage, _ in
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
        try onStage(pictures: 2) { stage, _ in
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
        try onStage(pictures: 2) { stage, _ in
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
        try onStage { stage, _ in
            let messages = Recorder<String>()
            WebImageLog.setHandler { messages.append($0) }
            defer { WebImageLog.setHandler(nil) }
            overlay(on: stage).indicator = CustomIndicator(stage.widgets[0])
            XCTAssertEqual(messages.values.count, 1)
        }
    }

    /// Setting, replacing, removing, starting and stopping in any order leaves nothing behind.
    func testAThousandIndicatorsLeaveNothing() throws {
        try onStage { stage, _ in
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
}
