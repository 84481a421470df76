import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Indicators over widgets other than `GtkPicture`.
final class IndicatorRouteTests: GTKTestCase, @unchecked Sendable {
    /// IND-4: over the content of a button, a frame and an overlay, which all draw their children.
    func testItLiesOverWidgetsWithChildren() throws {
        try onMainThread {
            try requireDisplay()
            for widget in containers() {
                let stage = Stage(pictures: 0)
                defer { stage.close() }
                let overlay = show(widget, on: stage)
                let former = gtk_widget_get_layout_manager(widget)
                let size = minimum(of: widget)
                overlay.indicator = try TestIndicator()
                overlay.start()
                XCTAssertEqual(minimum(of: widget), size, widget.className)
                let rendering = stage.drawn(widget, in: self)
                let found = try XCTUnwrap(rendering.bounds(of: .red), widget.className)
                XCTAssertEqual(found.right - found.left, 9, widget.className)
                XCTAssertEqual(Double(found.left + found.right) / 2, Double(rendering.width) / 2, accuracy: 1)
                XCTAssertEqual(Double(found.top + found.bottom) / 2, Double(rendering.height) / 2, accuracy: 1)
                overlay.indicator = nil
                XCTAssertEqual(gtk_widget_get_layout_manager(widget), former, widget.className)
                XCTAssertEqual(minimum(of: widget), size, widget.className)
                XCTAssertNil(stage.drawn(widget, in: self).bounds(of: .red), widget.className)
            }
        }
    }

    /// It must not enlarge its view, whatever its own size.
    func testAButtonKeepsItsSize() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage(pictures: 0)
            defer { stage.close() }
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("a")
            let overlay = show(button, on: stage)
            let size = minimum(of: button)
            overlay.indicator = try TestIndicator(side: 300)
            overlay.start()
            XCTAssertEqual(minimum(of: button), size)
            gtk_button_set_label(button.of(GtkButton.self), "a longer label")
            XCTAssertGreaterThan(minimum(of: button)[0], size[0])
        }
    }

    func testItStaysOnTopOfAContentThatComesLater() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage(pictures: 0)
            defer { stage.close() }
            let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new()
            let overlay = show(button, on: stage)
            overlay.indicator = try TestIndicator()
            overlay.start()
            let picture = try TestIndicator(.blue, side: 64)
            gtk_button_set_child(button.of(GtkButton.self), picture.indicatorView)
            gtk_widget_set_visible(picture.indicatorView, 1)
            let bounds = stage.drawn(button, in: self).bounds(of: .red)
            XCTAssertEqual(bounds.map { $0.right - $0.left }, 9)
        }
    }

    func testAWidgetThatLeavesNoWayIsNamedOnce() throws {
        try onMainThread {
            try requireDisplay()
            let stage = Stage(pictures: 0)
            defer { stage.close() }
            let messages = Recorder<String>()
            WebImageLog.setHandler { messages.append($0) }
            defer { WebImageLog.setHandler(nil) }
            for _ in 0..<2 {
                let overlay = show(gtk_grid_new(), on: stage)
                let indicator = try TestIndicator()
                overlay.indicator = indicator
                overlay.start()
                XCTAssertNil(gtk_widget_get_parent(indicator.indicatorView))
            }
            XCTAssertEqual(messages.values.count, 1)
            XCTAssertTrue(messages.values[0].contains("GtkGrid"))
            XCTAssertTrue(messages.values[0].contains("GtkOverlay"))
        }
    }

    func testDestroyingThemLeavesNothing() throws {
        try onMainThread {
            try requireDisplay()
            for widget in containers() {
                let stage = Stage(pictures: 0)
                let overlay = show(widget, on: stage)
                let live = LiveObjects()
                do {
                    let indicator = ActivityIndicator.gray
                    live.watch(UnsafeMutableRawPointer(indicator.indicatorView))
                    live.watch(UnsafeMutableRawPointer(widget))
                    overlay.indicator = indicator
                    overlay.start()
                    stage.finishFrame(in: self)
                }
                stage.close()
                XCTAssertEqual(live.count, 0)
            }
        }
    }

    @MainActor
    private func containers() -> [UnsafeMutablePointer<GtkWidget>] {
        let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("button")
        let frame: UnsafeMutablePointer<GtkWidget> = gtk_frame_new(nil)
        gtk_frame_set_child(frame.of(GtkFrame.self), gtk_label_new("frame"))
        let overlay: UnsafeMutablePointer<GtkWidget> = gtk_overlay_new()
        gtk_overlay_set_child(OpaquePointer(overlay), gtk_label_new("overlay"))
        let toggle: UnsafeMutablePointer<GtkWidget> = gtk_toggle_button_new_with_label("toggle")
        let menu: UnsafeMutablePointer<GtkWidget> = gtk_menu_button_new()
        gtk_menu_button_set_label(OpaquePointer(menu), "menu")
        return [button, frame, overlay, toggle, menu]
    }

    @MainActor
    private func show(_ widget: UnsafeMutablePointer<GtkWidget>, on stage: Stage) -> IndicatorOverlay {
        stage.add(widget)
        let overlay = IndicatorOverlay(over: widget, showing: nil)
        stage.keep(overlay)
        return overlay
    }

    /// The minimum width and height.
    @MainActor
    private func minimum(of widget: UnsafeMutablePointer<GtkWidget>) -> [Int32] {
        var size = GtkRequisition()
        gtk_widget_get_preferred_size(widget, &size, nil)
        return [size.width, size.height]
    }
}
