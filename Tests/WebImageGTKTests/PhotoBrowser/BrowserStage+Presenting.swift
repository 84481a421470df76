import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestSupport
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Browsers that are presented from thumbnails.
extension GTKTestCase {
    /// A window with blue thumbnails of 100 × 100 points on the screen.
    @MainActor
    func presentingStage(thumbnails: Int = 2, _ configure: (BrowserStage) -> Void = { _ in }) throws -> BrowserStage {
        try requireDisplay()
        let stage = BrowserStage(3, thumbnails: thumbnails)
        for widget in stage.thumbnails { PictureView(widget).image = try Colour.blue.image(width: 20, height: 20) }
        configure(stage)
        stage.show()
        iterate(
            until: { stage.thumbnails.allSatisfy { gtk_widget_get_width($0) > 0 && gtk_widget_get_mapped($0) != 0 } },
            "the thumbnails are on the screen")
        return stage
    }

    @MainActor
    func present(_ stage: BrowserStage, at index: Int = 0) {
        stage.browser.setCurrentPhotoIndex(index)
        stage.browser.present(from: PictureView(stage.thumbnails[index]))
        iterate(until: { gtk_widget_get_width(stage.browser.stage) > 0 }, "the browser is laid out")
    }

    @MainActor
    func opacity(_ stage: BrowserStage, _ index: Int) -> Double {
        gtk_widget_get_opacity(stage.thumbnails[index])
    }
}
