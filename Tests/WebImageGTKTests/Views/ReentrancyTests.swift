import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Completions with side effects.
final class ReentrancyTests: GTKTestCase, @unchecked Sendable {
    /// A completion that starts another load leaves nothing to fade in: the view then shows a placeholder.
    func testAPlaceholderIsNotFadedIn() throws {
        try onScreen { stage, test in
            let placeholder = try Colour.green.image()
            var hasEnded = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                hasEnded = true
                stage.view.setImage(with: test.url("b"), placeholder: placeholder, context: test.context)
                stage.view.fadeFromPreviousContent()
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded }, "the completion")
            XCTAssertFalse(Coordinator.of(stage.widgets[0]).display.isAnimating)
            XCTAssertEqual(stage.colour, .green)
        }
    }

    func testAPictureThatTheAppSetsItselfIsNotFadedIn() throws {
        try onScreen { stage, test in
            let own = try Colour.green.image()
            var hasEnded = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                hasEnded = true
                stage.view.image = own
                stage.view.fadeFromPreviousContent()
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded }, "the completion")
            XCTAssertFalse(Coordinator.of(stage.widgets[0]).display.isAnimating)
            XCTAssertEqual(stage.colour, .green)
        }
    }

    func testACompletionMayLoadWhatIsInMemory() throws {
        try onScreen { stage, test in
            test.cache.storeInMemory(try Colour.green.image(), for: CacheKey(test.url("b").absoluteString))
            var endings: [String] = []
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                stage.view.setImage(with: test.url("b"), context: test.context) { _ in endings.append("b") }
                endings.append("a")
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { endings.count == 2 }, "both completions")
            XCTAssertEqual(endings, ["b", "a"])
            XCTAssertEqual(stage.colour, .green)
        }
    }

    /// A modal dialog does this. Dispatch's main queue is not drained recursively, so what arrives meanwhile is
    /// delivered afterwards.
    func testACompletionMayRunTheMainLoop() throws {
        try onScreen(pictures: 2) { stage, test in
            let other = PictureView(stage.widgets[1])
            other.setImage(with: test.url("b"), context: test.context)
            var hasEnded = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                test.finish(test.url("b"), .green)
                for _ in 0..<50 { g_main_context_iteration(nil, 0) }
                hasEnded = true
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded && other.image != nil }, "the other picture")
            XCTAssertEqual(other.image?.colour, .green)
            XCTAssertEqual(stage.colour, .blue)
        }
    }

    /// The widget is destroyed while the main loop runs within its own completion.
    func testTheWidgetMayGoWhileItsCompletionRuns() throws {
        try onScreen(pictures: 2) { stage, test in
            weak let coordinator = Coordinator.of(stage.widgets[0])
            var hasEnded = false
            stage.view.setImage(with: test.url("a"), context: test.context) { _ in
                stage.remove(stage.widgets[0])
                g_main_context_iteration(nil, 0)
                hasEnded = true
            }
            test.finish(test.url("a"), .blue)
            iterate(until: { hasEnded }, "the completion")
            XCTAssertNil(coordinator)
        }
    }
}
