import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The loads of a button, one for each state and place.
final class ButtonLoadTests: ButtonTestCase, @unchecked Sendable {
    /// VIEW-14, VIEW-15: text and closures load like a URL, for each place.
    func testEveryFormOfTheCall() throws {
        try onButton { stage, button, test in
            let (url, context) = (test.url("a"), test.context)
            let text = url.absoluteString
            test.cache.storeInMemory(try Colour.blue.image(), for: CacheKey(text))
            var story: [String] = []
            let end: (Result<LoadResult, WebImageError>) -> Void = { _ in story.append("end") }
            let show: ButtonView.SetImage = { image, _, _, _ in if image != nil { story.append("set") } }
            button.setImage(with: text, for: .active, context: context) { end($0) }
            XCTAssertEqual(button.imageURL(for: .active), url)
            button.setImage(with: text, for: .active, context: context, progress: nil, completed: end)
            button.setImage(with: url, for: .active, context: context, setImage: show) { end($0) }
            button.setImage(with: text, for: .active, context: context, setImage: show, completed: end)
            button.setBackgroundImage(with: text, context: context) { end($0) }
            XCTAssertEqual(button.backgroundImageURL(for: .normal), url)
            button.setBackgroundImage(with: text, for: .active, context: context, progress: nil, completed: end)
            button.setBackgroundImage(with: url, context: context, setImage: show) { end($0) }
            button.setBackgroundImage(with: text, context: context, setImage: show, completed: end)
            button.setAlternateImage(with: text, context: context) { end($0) }
            XCTAssertEqual(button.currentAlternateImageURL, url)
            button.setAlternateImage(with: text, context: context, progress: nil, completed: end)
            button.setAlternateImage(with: url, context: context, setImage: show) { end($0) }
            button.setAlternateImage(with: text, context: context, setImage: show, completed: end)
            let each = ["end", "end", "set", "end", "set", "end"]
            XCTAssertEqual(story, each + each + each)
        }
    }

    /// VIEW-14: loads of different states are independent.
    func testStatesAreIndependent() throws {
        try onButton { stage, button, test in
            var endings: [String] = []
            for (name, state) in [("a", ButtonState.normal), ("b", .checked)] {
                button.setImage(with: test.url(name), for: state, context: test.context) {
                    endings.append(name + "\($0.isCancelled)")
                }
                button.setBackgroundImage(with: test.url("back" + name), for: state, context: test.context) {
                    endings.append("back" + name + "\($0.isCancelled)")
                }
            }
            XCTAssertEqual(test.pending.count, 4)
            button.cancelImageLoad(for: .checked)
            XCTAssertEqual(endings, ["btrue"])
            button.cancelBackgroundImageLoad(for: .normal)
            XCTAssertEqual(endings, ["btrue", "backatrue"])
            test.finish(test.url("a"), .red)
            test.finish(test.url("backb"), .blue)
            iterate(until: { endings.count == 4 }, "the other two")
            XCTAssertEqual(Set(endings.suffix(2)), ["afalse", "backbfalse"])
            XCTAssertEqual(button.image(for: .normal)?.colour, .red)
            XCTAssertNil(button.image(for: .checked))
            XCTAssertEqual(button.backgroundImage(for: .checked)?.colour, .blue)
            XCTAssertNil(button.backgroundImage(for: .normal))
        }
    }

    /// B12, VIEW-14: the URL for the state that the button is in; where that has none, the usual one.
    func testTheCurrentURLFallsBackToThatOfTheNormalState() throws {
        try onButton { stage, button, test in
            XCTAssertNil(button.currentImageURL)
            XCTAssertNil(button.currentBackgroundImageURL)
            button.setImage(with: test.url("usual"), for: .normal, context: test.context)
            button.setImage(with: test.url("hover"), for: .prelight, context: test.context)
            button.setBackgroundImage(with: test.url("back"), context: test.context)
            XCTAssertEqual(button.currentImageURL, test.url("usual"))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_PRELIGHT, 0)
            XCTAssertEqual(button.currentImageURL, test.url("hover"))
            XCTAssertEqual(button.currentBackgroundImageURL, test.url("back"))
            gtk_widget_set_state_flags(stage.widget, GTK_STATE_FLAG_ACTIVE, 1)
            XCTAssertEqual(button.currentImageURL, test.url("usual"))
            XCTAssertEqual(button.imageURL(for: .prelight), test.url("hover"))
            XCTAssertNil(button.imageURL(for: .active))
            XCTAssertNil(button.backgroundImageURL(for: .prelight))
        }
    }

    /// VIEW-15: the alternate picture has a load of its own.
    func testTheAlternatePicturesLoadIsCancelledAlone() throws {
        try onButton { stage, button, test in
            var endings: [Bool] = []
            button.setImage(with: test.url("a"), context: test.context)
            button.setAlternateImage(with: test.url("b"), context: test.context) { endings.append($0.isCancelled) }
            button.cancelCurrentAlternateImageLoad()
            XCTAssertEqual(endings, [true])
            XCTAssertEqual(test.pending.count, 1)
        }
    }
}
