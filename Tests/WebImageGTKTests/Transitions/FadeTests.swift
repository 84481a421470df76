import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The fade in a real window, whose clock the test moves.
final class FadeTests: TransitionTestCase, @unchecked Sendable {
    private let half = Colour(red: 128, green: 0, blue: 128)

    /// S0-16, S0-18, S0-20, S0-21, S0-22, S0-25
    func testAPictureFromTheNetworkFadesInOverThePlaceholderAndNothingIsLeft() throws {
        try onScreen { stage, test in
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            XCTAssertEqual(test.loader.loads[0].request.priority, .normal, "the lowest of visible views")
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the fade")
            assertEqual(stage.colour, .red)

            advance(stage, by: 0)
            assertEqual(stage.colour, .red)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, half)
            advance(stage, by: 424_000)
            XCTAssertTrue(stage.display.isAnimating)

            stage.time += 1_000
            iterate(until: { !stage.display.isAnimating }, "the end of the fade")
            assertEqual(stage.colour, .blue)
            assertNothingIsLeft(stage)
        }
    }

    /// S0-18, S1-8: with ease in and out. After a quarter of the time its progress is 0.129.
    func testTheFadeIsSlowAtItsBeginning() throws {
        try onScreen { stage, test in
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            test.finish(test.url("a"), .blue)
            iterate(until: { stage.display.isAnimating }, "the fade")
            advance(stage, by: 0)
            advance(stage, by: 212_500)
            assertEqual(stage.colour, Colour(red: 222, green: 0, blue: 33))
        }
    }

    /// S0-16, S0-17
    func testAPictureFromMemoryOrDiskIsThereAtOnce() throws {
        try onScreen { stage, test in
            let url = test.url("a")
            stage.view.setImage(with: url, context: test.context)
            test.finish(url, .blue)
            iterate(until: { stage.view.image != nil }, "the first load")

            stage.view.transitionFade(url, placeholder: try Colour.red.image(), test)
            assertEqual(stage.colour, .blue)
            XCTAssertFalse(stage.display.isAnimating)

            test.cache.clear(.memory, completion: nil)
            stage.view.transitionFade(url, placeholder: try Colour.red.image(), test)
            assertEqual(stage.colour, .red)
            iterate(until: { stage.view.image?.colour == .blue }, "the picture from disk")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .blue)
            XCTAssertEqual(test.loader.loads.count, 1)
        }
    }

    /// S0-16
    func testAFailureDoesNotFade() throws {
        try onScreen { stage, test in
            stage.view.transitionFade(test.url("a"), placeholder: try Colour.red.image(), test)
            test.loader.loads[0].fail(.scripted)
            iterate(until: { !test.manager.isRunning }, "the failure")
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .red)
        }
    }

    /// S0-26: the first picture is decoded and about to be delivered when the view is bound to the second.
    func testAPictureThatComesTooLateDoesNotFade() throws {
        try onScreen { stage, test in
            stage.view.transitionFade(test.url("a"), placeholder: nil, test)
            test.finish(test.url("a"), .blue)
            let key = CacheKey(test.url("a").absoluteString)
            wait("the decoding") { test.cache.imageFromMemory(for: key) != nil }
            stage.view.transitionFade(test.url("b"), placeholder: try Colour.red.image(), test)
            drawFrames(3, of: stage.widgets[0])
            XCTAssertFalse(stage.display.isAnimating)
            assertEqual(stage.colour, .red)
            test.finish(test.url("b"), .green)
            iterate(until: { stage.display.isAnimating }, "the fade of the second picture")
            XCTAssertEqual(stage.view.image?.colour, .green)
        }
    }

    /// S0-26: parts of the picture show at once, and the complete picture fades in over the last of them.
    func testOfAPictureThatLoadsProgressivelyOnlyTheWholeOneFades() throws {
        try onScreen { stage, _ in
            let test = SuspendedLoader()
            var context = WebImageContext()
            context.manager = WebImageManager(
                cache: SuspendedCache(), loader: test, coder: ImageCodersManager.shared)
            var endings = 0
            stage.view.transitionFadeLoadImage(
                "http://pictures.invalid/a.png", options: [.lowPriority, .progressiveLoad], context: context
            ) { _ in endings += 1 }
            let picture = Image(bitmap: try SamplePicture.make(1, width: 300, height: 200))
            let file = try ImageCodersManager.shared.encode(picture, to: .png, options: ImageEncodeOptions())
            test.loads[0].progress(file.count / 2, of: file.count)
            test.loads[0].send(file.prefix(file.count / 2))
            iterate(until: { stage.view.image?.metadata.isIncremental == true }, "a part")
            XCTAssertFalse(stage.display.isAnimating)
            XCTAssertEqual(endings, 0)
            test.loads[0].send(file.dropFirst(file.count / 2))
            test.loads[0].finish(file)
            iterate(until: { stage.display.isAnimating }, "the fade")
            XCTAssertEqual(stage.view.image?.metadata.isIncremental, false)
            XCTAssertEqual(endings, 1)
        }
    }

    /// S0-24
    func testWithoutAPlaceholderThePictureFadesInFromNothing() throws {
        try onScreen { stage, test in
            startFade(stage, test, "a", .blue)
            assertEqual(stage.colour, .clear)
            advance(stage, by: 425_000)
            assertEqual(stage.colour, Colour(red: 0, green: 0, blue: 128, alpha: 128))
        }
    }
}
