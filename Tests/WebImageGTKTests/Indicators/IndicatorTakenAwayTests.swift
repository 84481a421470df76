import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Indicators whose widget the app removes from the view while they run.
final class IndicatorTakenAwayTests: GTKTestCase, @unchecked Sendable {
    func testTakenOutOfTheView() throws {
        try onMainThread {
            try run { view, indicator, what in
                takeOut(indicator.indicatorView, of: view.widget)
            } afterwards: { indicator, what in
                XCTAssertNil(gtk_widget_get_parent(indicator.indicatorView), what)
            }
        }
    }

    func testPutElsewhere() throws {
        try onMainThread {
            try requireDisplay()
            let box: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
            g_object_ref_sink(UnsafeMutableRawPointer(box))
            defer { g_object_unref(UnsafeMutableRawPointer(box)) }
            try run { view, indicator, _ in
                takeOut(indicator.indicatorView, of: view.widget)
                gtk_box_append(box.of(GtkBox.self), indicator.indicatorView)
            } afterwards: { indicator, what in
                XCTAssertEqual(gtk_widget_get_parent(indicator.indicatorView), box, what)
                gtk_box_remove(box.of(GtkBox.self), indicator.indicatorView)
            }
        }
    }

    @MainActor
    private func takeOut(_ widget: UnsafeMutablePointer<GtkWidget>, of view: UnsafeMutablePointer<GtkWidget>) {
        if view.isA(gtk_overlay_get_type()) {
            gtk_overlay_remove_overlay(OpaquePointer(view), widget)
        } else {
            gtk_widget_unparent(widget)
        }
    }

    @MainActor
    private func run(
        _ takeAway: @MainActor (any WidgetView, TestIndicator, _ what: String) throws -> Void,
        afterwards: @MainActor (TestIndicator, _ what: String) throws -> Void
    ) throws {
        try requireDisplay()
        for view in views() {
            let (stage, test) = (Stage(pictures: 0), TestStage())
            defer { stage.close() }
            let what = view.widget.className
            stage.add(view.widget)
            stage.show()
            iterate(until: { gtk_widget_get_mapped(view.widget) != 0 }, "the window")
            let indicator = try TestIndicator()
            view.imageIndicator = indicator
            view.setImage(with: test.url("a"), context: test.context, setImage: { _, _, _, _ in })
            XCTAssertEqual(gtk_widget_get_parent(indicator.indicatorView), view.widget, what)
            stage.finishFrame(in: self)
            try takeAway(view, indicator, what)
            stage.finishFrame(in: self)
            test.loader.loads.first?.progress(1, of: 2)
            test.finish(test.url("a"), .blue)
            iterate(until: { indicator.events.last == .stop }, "the end of the load")
            stage.finishFrame(in: self)
            try afterwards(indicator, what)
            view.imageIndicator = try TestIndicator()
            view.imageIndicator = nil
            XCTAssertEqual(GTKLog.takeComplaints(), [], what)
        }
    }

    @MainActor
    private func views() -> [any WidgetView] {
        let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
        gtk_overlay_set_child(OpaquePointer(overlay), gtk_label_new("overlay"))
        return [
            PictureView(gtk_picture_new()), ButtonView(gtk_button_new_with_label("button")), AnyWidgetView(overlay),
        ]
    }
}
