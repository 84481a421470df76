import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// All kinds of widgets with their pictures on the screen: in a window, read back from the X server.
final class ScreenWidgetsTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-5: each picture is visible, and the window looks the same under both renderers.
    func testEveryKindShowsItsPictureUnderBothRenderers() throws {
        try onMainThread {
            try requireDisplay()
            let byCairo = try show(.cairo)
            let byOpenGL = try show(.openGL)
            XCTAssertGreaterThanOrEqual(byOpenGL.signalToNoise(byCairo), 35)
        }
    }

    /// The window's pixels once each kind of widget has a picture with its own colour.
    @MainActor
    private func show(_ renderer: ScreenRenderer) throws -> Pixels {
        let column: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
        let stage = try ScreenStage(PixelSize(width: 240, height: 420), column, renderer, self)
        defer { stage.close() }
        let test = TestStage()
        let kinds = ViewKind.all.filter { $0.isSeenAtRest }
        for (index, kind) in kinds.enumerated() {
            let widget = kind.makeWidget()
            let view = kind.makeView(widget)
            for sized in [widget, view.widget] { gtk_widget_set_size_request(sized, 40, 30) }
            gtk_widget_set_vexpand(widget, 0)
            gtk_box_append(column.of(GtkBox.self), widget)
            load(Colour(numbered: 5 * (index + 1)), in: view, test)
        }
        stage.drawFrames(10)
        let seen = try XCTUnwrap(stage.grab())
        for (index, kind) in kinds.enumerated() {
            let area = seen.count(of: Colour(numbered: 5 * (index + 1)))
            XCTAssertGreaterThanOrEqual(area, Self.leastArea, "the picture of \(kind.name) by \(renderer)")
        }
        return seen
    }

    /// In pixels: the inside of an icon.
    private static let leastArea = 100
}

extension ViewKind {
    /// Whether a widget without a special state shows the picture.
    fileprivate var isSeenAtRest: Bool { name != "state" && name != "highlighted picture" }
}

extension Pixels {
    /// The number of pixels of `colour`.
    fileprivate func count(of colour: Colour) -> Int {
        let wanted = SIMD4(colour.channels.map { Float($0) })
        var count = 0
        for y in 0..<size.height {
            for x in 0..<size.width where self[x, y] == wanted { count += 1 }
        }
        return count
    }
}
