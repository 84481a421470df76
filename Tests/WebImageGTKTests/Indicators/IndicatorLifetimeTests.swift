import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Widgets that are destroyed or moved while an indicator lies over them.
final class IndicatorLifetimeTests: OverlayTestCase, @unchecked Sendable {
    func testTheWidgetMayBeDestroyedWhileItIsShown() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
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

    /// The test keeps a reference to the destroyed widget.
    func testADestroyedWidgetTakesNoIndicator() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage()
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
            try requireDisplay()
            let (stage, other) = (Stage(), Stage(pictures: 0))
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
}
