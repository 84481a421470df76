import CGtk4
import WebImage
import XCTest

@testable import WebImageGTK

/// Shared by the tests of indicators over pictures.
class OverlayTestCase: GTKTestCase, @unchecked Sendable {
    @MainActor
    func overlay(on stage: Stage, _ index: Int = 0) -> IndicatorOverlay {
        let widget = stage.widgets[index]
        let overlay = IndicatorOverlay(over: widget, showing: PictureTarget(widget: widget))
        stage.keep(overlay)
        return overlay
    }

    /// Asserts that the red indicator is centred in the view, at its own size.
    @MainActor
    func assertCentred(
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
}
