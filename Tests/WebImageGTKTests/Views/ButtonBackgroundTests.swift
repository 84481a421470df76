import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The background behind the label and the picture of a button.
final class ButtonBackgroundTests: ButtonTestCase, @unchecked Sendable {
    /// VIEW-14: behind the label, over all of the content area, and never enlarging the button.
    func testABackgroundLiesBehindAllElse() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_button_new_with_label("Ada"))
            defer { stage.close() }
            let button = ButtonView(stage.widget)
            let (width, height) = (gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget))
            button.backgroundView(for: .normal).image = try Colour.blue.image(width: 500, height: 300)
            drawFrames(4, of: stage.window)
            XCTAssertEqual([gtk_widget_get_width(stage.widget), gtk_widget_get_height(stage.widget)], [width, height])
            let background = try XCTUnwrap(button.backgroundWidget)
            XCTAssertEqual(stage.middles(of: background), [.blue])
            XCTAssertEqual(gtk_widget_get_parent(background), gtk_widget_get_first_child(stage.widget))
            let label = try XCTUnwrap(stage.widget.buttonChild)
            XCTAssertEqual(stage.colours(1, 1, of: background), [.blue])
            XCTAssertTrue(hasOtherColour(than: .blue, under: label, stage), "the label is seen")
        }
    }

    func testBackgroundsFollowTheStateToo() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_toggle_button_new_with_label("Ada"))
            defer { stage.close() }
            let (button, test) = (ButtonView(OpaquePointer(stage.widget)), TestStage())
            load(.red, in: button.backgroundView(for: .normal), test)
            load(.green, in: button.backgroundView(for: .checked), test)
            let background = try XCTUnwrap(button.backgroundWidget)
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.middles(of: background), [.red])
            gtk_toggle_button_set_active(stage.widget.of(GtkToggleButton.self), 1)
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.middles(of: background), [.green])
        }
    }

    /// A92, VIEW-14: a background's load has its options, and a key of its own.
    func testABackgroundsOptionsReachItsLoad() throws {
        try onButton { stage, button, test in
            var arrived: Colour?
            button.setBackgroundImage(
                with: test.url("a"), for: .prelight, options: .avoidAutoSetImage, context: test.context
            ) { arrived = try? $0.get().image.colour }
            XCTAssertEqual(button.latestOperationKey, "ButtonBackgroundImageOperation2")
            test.finish(test.url("a"), .red)
            iterate(until: { arrived != nil }, "the completion")
            XCTAssertNil(button.backgroundImage(for: .prelight))
        }
    }

    @MainActor
    private func hasOtherColour(
        than colour: Colour, under widget: UnsafeMutablePointer<GtkWidget>, _ stage: WidgetStage
    ) -> Bool {
        let middle = Double(gtk_widget_get_height(widget)) / 2
        let columns = (0..<Int(gtk_widget_get_width(widget))).map { stage.point(Double($0), middle, of: widget) }
        return stage.screenshots().allSatisfy { pixels in
            columns.contains { pixels.colour(x: Int($0.x), y: Int($0.y)) != colour }
        }
    }
}
