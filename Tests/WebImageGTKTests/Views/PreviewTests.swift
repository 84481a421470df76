import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A small picture first, and then the large one, by one call.
final class PreviewTests: GTKTestCase, @unchecked Sendable {
    /// Two addresses: the view shows one after the other, and the completion gets the large picture alone.
    func testTheSmallPictureShowsUntilTheLargeOneIsThere() throws {
        try onStage { stage, test in
            var results: [LoadResult] = []
            stage.view.setImage(
                with: test.url("large"), placeholder: try Colour.red.image(), preview: .address(test.url("small")),
                context: test.context
            ) { if case .success(let result) = $0 { results.append(result) } }
            XCTAssertEqual(stage.colour, .red)
            test.finish(test.url("small"), .green)
            iterate(until: { stage.view.image?.colour == .green }, "the small picture")
            XCTAssertTrue(stage.view.isLoading)
            test.finish(test.url("large"), .blue)
            iterate(until: { !results.isEmpty }, "the large picture")
            XCTAssertEqual(stage.colour, .blue)
            XCTAssertEqual(results.map(\.url), [test.url("large")])
        }
    }

    /// A size and then the original: what a list has in memory shows before the call returns.
    func testAThumbnailInMemoryShowsAtOnce() throws {
        try onStage { stage, test in
            let small = PixelSize(width: 4, height: 4)
            var list = test.context
            list.thumbnailPixelSize = small
            let key = test.manager.cacheKey(for: test.url("a"), context: list)
            test.cache.storeInMemory(try Colour.green.image(width: 4, height: 4), for: key)
            stage.view.setImage(with: test.url("a"), preview: .pixelSize(small), context: test.context)
            XCTAssertEqual(stage.view.image?.colour, .green)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.view.image?.colour == .blue }, "the original")
        }
    }

    /// The small picture stays when the large one fails, and the view says that its load has failed.
    func testTheSmallPictureStaysWhenTheLargeOneFails() throws {
        try onStage { stage, test in
            var context = test.context
            context.errorImage = try Colour.red.image()
            var error: WebImageError?
            stage.view.setImage(with: test.url("large"), preview: .address(test.url("small")), context: context) {
                _, failure, _, _ in
                error = failure
            }
            test.finish(test.url("small"), .green)
            iterate(until: { stage.view.image?.colour == .green }, "the small picture")
            for load in test.loader.loads(of: test.url("large")) { load.fail(.scripted) }
            iterate(until: { error != nil }, "the failure")
            XCTAssertEqual(stage.colour, .green)
            XCTAssertNotEqual(gtk_widget_has_css_class(stage.widgets[0], "webimage-failed"), 0)
        }
    }
}
