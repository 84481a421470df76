import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Browsers that are presented from thumbnails.
extension GTKTestCase {
    /// A window with blue thumbnails of 100 × 100 points on the screen.
    ///
    /// - Parameters:
    ///   - count: The number of photos, each with an address.
    ///   - configure: Changes the stage before the window is on the screen.
    @MainActor
    func presentingStage(
        _ count: Int = 3, thumbnails: Int = 2, _ configure: @MainActor (BrowserStage) throws -> Void = { _ in }
    ) throws -> BrowserStage {
        try requireDisplay()
        let stage = BrowserStage(count, thumbnails: thumbnails)
        for widget in stage.thumbnails { PictureView(widget).image = try Colour.blue.image(width: 20, height: 20) }
        try configure(stage)
        stage.show()
        iterate(
            until: { stage.thumbnails.allSatisfy { gtk_widget_get_width($0) > 0 && gtk_widget_get_mapped($0) != 0 } },
            "the thumbnails are on the screen")
        return stage
    }

    /// Runs `body` with a window of two thumbnails, from which nothing is presented yet.
    func onThumbnails(
        _ configure: @MainActor (BrowserStage) throws -> Void = { _ in },
        test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onMainThread {
            let stage = try presentingStage(3, configure)
            defer { stage.close() }
            try body(stage)
        }
    }

    /// Runs `body` with a browser that has flown from the first of two thumbnails.
    func onPresentedBrowser(
        _ configure: @MainActor (BrowserStage) throws -> Void = { _ in },
        test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onThumbnails(configure) { stage in
            present(stage)
            stage.animator.finish()
            try body(stage)
        }
    }

    /// Runs `body` with a browser that was presented from the first of two thumbnails, and shows the photo of the second.
    func onSecondPhoto(test body: @MainActor (BrowserStage) throws -> Void) throws {
        try onPresentedBrowser {
            for index in 0..<2 { $0.app.views[index] = PictureView($0.thumbnails[index]) }
        } test: { stage in
            stage.browser.setCurrentPhotoIndex(1)
            load(1, in: stage)
            stage.animator.finishAll()
            try body(stage)
        }
    }

    @MainActor
    func present(_ stage: BrowserStage, at index: Int = 0) {
        stage.browser.setCurrentPhotoIndex(index)
        stage.browser.present(from: PictureView(stage.thumbnails[index]))
        iterate(until: { gtk_widget_get_width(stage.browser.pages.stage) > 0 }, "the browser is laid out")
    }

    @MainActor
    func opacity(_ stage: BrowserStage, _ index: Int) -> Double {
        gtk_widget_get_opacity(stage.thumbnails[index])
    }
}
