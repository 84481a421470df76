import CGtk4
import FoundationEssentials
import WebImage
import XCTest

@testable import WebImageGTK

/// Shared by the tests of all kinds of views.
class ViewTestCase: GTKTestCase, @unchecked Sendable {
    /// Loads a picture of `colour` into `view` and waits until it is there.
    @MainActor
    func load(
        _ colour: Colour, in view: any WidgetView, _ test: TestStage, file: StaticString = #filePath,
        line: UInt = #line
    ) {
        let url = test.url("\(colour.channels)")
        var hasEnded = false
        view.setImage(with: url, context: test.context) { _ in hasEnded = true }
        test.finish(url, colour)
        iterate(until: { hasEnded }, "the end of the load", file: file, line: line)
        XCTAssertEqual(view.image?.colour, colour, file: file, line: line)
    }

    /// A window with `widget` in it, once it is on the screen.
    @MainActor
    func shown(_ widget: UnsafeMutablePointer<GtkWidget>) throws -> WidgetStage {
        let stage = WidgetStage(widget)
        iterate(until: { gtk_widget_get_mapped(widget) != 0 }, "the window")
        drawFrames(4, of: stage.window)
        return stage
    }

    /// Runs `body` with a widget of each kind on the screen.
    @MainActor
    private func run(
        _ body: (ViewKind, WidgetStage, any WidgetView, TestStage) throws -> Void
    ) throws {
        try requireDisplay()
        for kind in ViewKind.all {
            let stage = try shown(kind.makeWidget())
            try body(kind, stage, kind.makeView(stage.widget), TestStage())
            XCTAssertEqual(GTKLog.takeComplaints(), [], kind.name)
        }
    }

    func forEachKind(
        _ body: @MainActor (ViewKind, WidgetStage, any WidgetView, TestStage) throws -> Void
    ) throws {
        try onMainThread { try run(body) }
    }
}
