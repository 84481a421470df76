import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The ready-made widget.
final class WebImageViewTests: ViewTestCase, @unchecked Sendable {
    /// VIEW-16
    func testSettingAURLLoadsItsPicture() throws {
        try onMainThread {
            let (stage, view, test) = try shownView()
            defer { stage.close() }
            var colours: [Colour?] = []
            view.onLoad = { colours.append((try? $0.get())?.image.colour) }
            view.placeholder = try Colour.green.image(width: 32, height: 32)
            XCTAssertEqual(view.image?.colour, .green)
            view.url = test.url("a")
            view.url = test.url("a")
            XCTAssertEqual(test.loader.loads.count, 1)
            XCTAssertEqual(view.image?.colour, .green)
            test.finish(test.url("a"), .red)
            iterate(until: { colours.count == 1 }, "the picture")
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.middles(), [.red])
            view.url = nil
            XCTAssertEqual(view.image?.colour, .green)
            XCTAssertEqual(colours, [.red], "there is nothing to tell of no URL")
        }
    }

    func testANewURLReplacesTheOneBeforeIt() throws {
        try onMainThread {
            let (stage, view, test) = try shownView()
            defer { stage.close() }
            var endings: [String] = []
            view.onLoad = { endings.append($0.isCancelled ? "cancelled" : "loaded") }
            view.url = test.url("a")
            view.url = test.url("b")
            XCTAssertEqual(endings, ["cancelled"])
            test.finish(test.url("b"), .blue)
            iterate(until: { endings.count == 2 }, "the second picture")
            XCTAssertEqual(endings, ["cancelled", "loaded"])
            XCTAssertEqual(view.currentImageURL, test.url("b"))
            view.reload()
            XCTAssertEqual(endings.count, 3, "from memory")
        }
    }

    func testAnErrorPictureStaysWhenThePlaceholderChanges() throws {
        try onMainThread {
            let (stage, view, test) = try shownView()
            defer { stage.close() }
            var hasEnded = false
            view.onLoad = { _ in hasEnded = true }
            view.errorImage = try Colour.red.image()
            view.url = test.url("a")
            view.placeholder = try Colour.green.image()
            XCTAssertEqual(view.image?.colour, .green)
            test.loader.loads[0].fail(.scripted)
            iterate(until: { hasEnded }, "the failure")
            XCTAssertEqual(view.image?.colour, .red)
            view.placeholder = try Colour.blue.image()
            XCTAssertEqual(view.image?.colour, .red)
        }
    }

    /// One load has more options than those of the view; the view's settings are those of now.
    func testTheViewLoadsAgainWithMoreOptions() throws {
        try onMainThread {
            let (stage, view, test) = try shownView()
            defer { stage.close() }
            var endings = 0
            view.onLoad = { _ in endings += 1 }
            view.url = test.url("a")
            test.loader.loads[0].fail(.scripted)
            iterate(until: { endings == 1 }, "the failure")
            view.options = .lowPriority
            view.reload(options: .retryFailed)
            XCTAssertTrue(test.loader.loads[1].request.options.isSuperset(of: [.lowPriority, .retryFailed]))
            view.reload()
            XCTAssertEqual(endings, 2, "the load before was replaced")
            XCTAssertFalse(test.loader.loads[2].request.options.contains(.retryFailed))
        }
    }

    /// The calls common to all views do not disturb the view's own.
    func testAPlaceholderNeverTakesAPictureAway() throws {
        try onMainThread {
            let (stage, view, test) = try shownView()
            defer { stage.close() }
            view.placeholder = try Colour.green.image()
            view.setImage(with: test.url("a"), context: test.context)
            test.finish(test.url("a"), .red)
            iterate(until: { view.image?.colour == .red }, "the picture")
            view.placeholder = try Colour.blue.image()
            XCTAssertEqual(view.image?.colour, .red)
            view.image = try Colour.green.image()
            view.placeholder = nil
            XCTAssertEqual(view.image?.colour, .green)
            view.image = nil
            view.placeholder = try Colour.blue.image()
            XCTAssertEqual(view.image?.colour, .blue)
        }
    }

    /// Nothing retains the view or its widget any more, so its load ends.
    func testALoadDoesNotKeepAViewWithoutReferences() throws {
        try onMainThread {
            try requireDisplay()
            for isFading in [false, true] {
                let test = TestStage()
                var endings: [Bool] = []
                do {
                    let view = WebImageView()
                    view.imageSizing = .file
                    if isFading {
                        view.transitionFadeLoadImage(test.url("a"), context: test.context) {
                            endings.append($0.isCancelled)
                        }
                    } else {
                        view.setImage(with: test.url("a"), context: test.context) { endings.append($0.isCancelled) }
                    }
                    XCTAssertEqual(test.loader.loads.count, 1)
                }
                XCTAssertEqual(endings, [true])
                XCTAssertTrue(test.loader.loads[0].isCancelled)
            }
        }
    }

    func testFitAndCorners() throws {
        try onMainThread {
            let (stage, view, _) = try shownView()
            defer { stage.close() }
            view.image = try Colour.red.image(width: 64, height: 16)
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.colours(32, 4, of: view.widget), [.clear])
            view.contentFit = .cover
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.colours(32, 4, of: view.widget), [.red])
            XCTAssertEqual(stage.colours(1, 1, of: view.widget), [.red])
            view.cornerRadius = 12.5
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.colours(1, 1, of: view.widget), [.clear])
            XCTAssertEqual(stage.colours(32, 4, of: view.widget), [.red])
            view.cornerRadius = 0
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.colours(1, 1, of: view.widget), [.red])
            let picture = PictureView(view.widget)
            XCTAssertEqual(picture.cornerRadius, 0)
            picture.cornerRadius = 12.5
            drawFrames(4, of: stage.window)
            XCTAssertEqual(stage.colours(1, 1, of: view.widget), [.clear])
            XCTAssertEqual(picture.cornerRadius, 12.5)
        }
    }

    /// The widget is released with the view, unless it is in a window; its loads then continue.
    func testTheWidgetMayOutliveTheView() throws {
        try onMainThread {
            try requireDisplay()
            let (live, test) = (LiveObjects(), TestStage())
            var view: WebImageView? = WebImageView()
            live.watch(UnsafeMutableRawPointer(try XCTUnwrap(view).widget))
            view = nil
            XCTAssertEqual(live.count, 0)

            var kept: WebImageView? = WebImageView()
            kept?.context = test.context
            kept?.url = test.url("a")
            let stage = try shown(try XCTUnwrap(kept).widget)
            live.watch(UnsafeMutableRawPointer(stage.widget))
            weak let weakView = kept
            kept = nil
            XCTAssertNil(weakView)
            test.finish(test.url("a"), .red)
            iterate(until: { PictureView(stage.widget).image != nil }, "the picture")
            stage.close()
            XCTAssertEqual(live.count, 0)
        }
    }

    /// An app may give each of very many views its own radius, or animate one.
    func testRadiiThatNoViewHasAnyMoreAreForgotten() throws {
        try onMainThread {
            try requireDisplay()
            let view = WebImageView()
            for step in 1...50 { view.cornerRadius = 3 + Double(step) / 10 }
            XCTAssertTrue(RoundedCorners.knownRadii.isSuperset(of: [800]))
            XCTAssertTrue(RoundedCorners.knownRadii.isDisjoint(with: 310...780))
            for radius in 20..<30 { WebImageView().cornerRadius = Double(radius) }
            let other = WebImageView()
            other.cornerRadius = 8
            view.cornerRadius = 0
            WebImageView().cornerRadius = 40
            XCTAssertEqual(RoundedCorners.knownRadii, [800, 4000], "one that a view still has, and the latest")
            XCTAssertEqual(gtk_widget_has_css_class(other.widget, "webimage-corner-800"), 1)
        }
    }

    @MainActor
    private func shownView() throws -> (WidgetStage, WebImageView, TestStage) {
        try requireDisplay()
        let (view, test) = (WebImageView(), TestStage())
        view.context = test.context
        gtk_widget_set_size_request(view.widget, 64, 64)
        return (try shown(view.widget), view, test)
    }
}
