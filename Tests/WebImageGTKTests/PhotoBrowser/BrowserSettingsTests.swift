import WebImage
import XCTest

@testable import WebImageGTK

/// Settings that change while a photo is shown.
final class BrowserSettingsTests: GTKTestCase, @unchecked Sendable {
    /// MW-2 MW-31 A picture of nearly the view's proportions covers it, or fits into it.
    func testZoomToFill() throws {
        try onFirstPicture(width: 1600, height: 1100) { stage, _ in
            let filled = 600.0 / 1100
            XCTAssertEqual(try XCTUnwrap(stage.page?.zoom.scale), filled, accuracy: 1e-9)
            stage.browser.zoomPhotosToFill = false
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 0, y: 25, width: 800, height: 550))
            stage.browser.showNextPhoto(animated: false)
            load(1, in: stage, width: 1600, height: 1100)
            XCTAssertEqual(stage.page?.zoom.scale, 0.5)
            stage.browser.zoomPhotosToFill = true
            XCTAssertEqual(try XCTUnwrap(stage.page?.zoom.scale), filled, accuracy: 1e-9)
        }
    }

    /// S2-19 S2-6 A picture is long from the ratio on that the app has set: it begins at its top then, as wide as the view.
    func testLongPictureRatio() throws {
        try onFirstPicture(width: 800, height: 2000) { stage, _ in
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 280, y: 0, width: 240, height: 600))
            stage.browser.longPictureRatio = 2
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 0, y: 0, width: 800, height: 2000))
            stage.browser.longPictureRatio = 3
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 280, y: 0, width: 240, height: 600))
        }
    }
}
