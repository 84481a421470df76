import CGtk4
import Foundation
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Calls as SDWebImage's apps write them, without `sd_`.
final class ExternalCompletionTests: GTKTestCase, @unchecked Sendable {
    /// S0-14: the first line of every such app: the closure gets the end of the load, and the view shows the picture.
    func testTheFirstLineOfAnAppShowsThePicture() throws {
        try onStage { stage, test in
            let (img, s, context) = (stage.view, test.url("a").absoluteString, test.context)
            var story: [String] = []
            img.setImage(with: URL(string: s), placeholder: try Colour.red.image(), context: context) {
                image, error, _, _ in
                story.append("\(image?.colour == .blue) \(error == nil)")
            }
            XCTAssertEqual(stage.colour, .red)
            XCTAssertEqual(story, [], "a placeholder is no end")
            test.finish(test.url("a"), .blue)
            iterate(until: { !story.isEmpty }, "the picture")
            XCTAssertEqual(story, ["true true"])
            XCTAssertEqual(stage.colour, .blue)
        }
    }

    /// S0-14: picture, error, source, and the address that was asked for.
    func testTheArgumentsAreThoseOfSDWebImage() throws {
        try onStage { stage, test in
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(test.url("a").absoluteString))
            var story: [String] = []
            let tell: PictureView.ExternalCompletion = { image, error, cacheType, url in
                story.append(
                    "\(image != nil) \(error?.code as Any? ?? "-") \(cacheType) \(url?.lastPathComponent ?? "-")")
            }
            stage.view.setImage(with: test.url("a"), context: test.context, completed: tell)
            stage.view.setImage(with: test.url("b"), context: test.context, completed: tell)
            stage.view.setImage(with: nil, context: test.context, completed: tell)
            test.manager.interceptors = [Rewriting(to: test.url("rewritten"))]
            stage.view.setImage(with: test.url("c"), context: test.context, completed: tell)
            try XCTUnwrap(test.loader.loads.last).fail(.scripted)
            iterate(until: { story.count == 4 }, "the failure")
            XCTAssertEqual(
                story,
                [
                    "true - memory a", "false cancelled no cache b", "false invalidURL no cache -",
                    "false \(WebImageError.scripted.code) no cache c",
                ])
        }
    }

    /// S0-14, S3-18: the calls of buttons and of highlighted pictures mean the same.
    func testAllCallsOfViewsHaveThisCompletion() throws {
        try onStage { stage, test in
            let url = test.url("a")
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(url.absoluteString))
            let widget: UnsafeMutablePointer<GtkWidget> = gtk_toggle_button_new()
            stage.add(widget)
            let button = ButtonView(widget)
            var ends = 0
            button.setImage(with: url, context: test.context) { image, error, _, _ in
                if image != nil, error == nil { ends += 1 }
            }
            button.setImage(with: url, for: .prelight, context: test.context) { image, error, _, _ in
                if image != nil, error == nil { ends += 1 }
            }
            button.setBackgroundImage(with: url, context: test.context) { image, error, _, _ in
                if image != nil, error == nil { ends += 1 }
            }
            button.setAlternateImage(with: url, context: test.context) { image, error, _, _ in
                if image != nil, error == nil { ends += 1 }
            }
            stage.view.setHighlightedImage(with: url, context: test.context) { image, error, _, _ in
                if image != nil, error == nil { ends += 1 }
            }
            XCTAssertEqual(ends, 5)
            XCTAssertEqual(button.image(for: .prelight)?.colour, .blue)
            XCTAssertEqual(button.backgroundImage(for: .normal)?.colour, .blue)
            XCTAssertEqual(button.alternateImage?.colour, .blue)
            XCTAssertEqual(stage.view.highlightedImage?.colour, .blue)
        }
    }
}

/// Sends all loads to another address.
private struct Rewriting: LoadInterceptor {
    let url: URL

    init(to url: URL) { self.url = url }

    func intercept(_ request: ImageRequest) -> LoadInterception {
        var rewritten = request
        rewritten.url = url
        return .proceed(rewritten)
    }
}
