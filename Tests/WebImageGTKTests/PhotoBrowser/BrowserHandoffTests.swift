import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The handoff on a page, phase by phase.
final class BrowserHandoffTests: GTKTestCase, @unchecked Sendable {
    private static let black = Colour(red: 0, green: 0, blue: 0)

    /// Runs `body` with a browser whose first photo is being loaded, and has a thumbnail of one colour meanwhile.
    private func onHandoff(
        thumbnail: (Int, Int) = (300, 225), _ colour: Colour = .blue,
        _ configure: @MainActor (BrowserStage) -> Void = { _ in }, test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onBrowser(3) {
            $0.app.thumbnails[0] = Photo(image: try colour.image(width: thumbnail.0, height: thumbnail.1))
            configure($0)
        } test: { stage in
            awaitLoad(in: stage)
            try body(stage)
        }
    }

    @MainActor
    private func arrive(in stage: BrowserStage, width: Int, height: Int) {
        stage.finish(0, .red, width: width, height: height)
        iterate(until: { stage.page?.hasPicture == true }, "the original is there")
    }

    /// S2-10 The thumbnail is on top and the page is hidden while the original is loaded.
    func testCovered() throws {
        try onHandoff { stage in
            XCTAssertEqual(stage.page?.handoff.phase, .covered)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .blue)
            XCTAssertEqual(stage.page?.opacity, 0)
        }
    }

    /// S2-7 S2-11 S2-12 S2-14 S2-15 S2-20 A horizontal long picture: the thumbnail is squeezed to its height and darkens,
    /// then it goes, and the picture brightens; meanwhile input is ignored.
    func testSqueeze() throws {
        try onHandoff { stage in
            arrive(in: stage, width: 8000, height: 600)
            let (page, helper) = (try XCTUnwrap(stage.page), try XCTUnwrap(stage.page?.helper))
            XCTAssertEqual(stage.animator.running.map(\.duration), [0.2])
            XCTAssertTrue(page.inputIsHeld)
            XCTAssertEqual(helper.frame, PointRect(x: 0, y: 0, width: 800, height: 600))
            stage.animator.advance(to: 0.5)
            XCTAssertEqual(helper.opacity, 0.75)
            XCTAssertEqual(helper.frame, PointRect(x: 0, y: 135, width: 800, height: 330))
            assertEqual(stage.colour(x: 400, y: 300), Colour(red: 0, green: 0, blue: 191))
            XCTAssertEqual(stage.colour(x: 400, y: 100), Self.black)
            stage.animator.advance(to: 1)
            XCTAssertEqual(helper.frame.y, page.zoom.frame.y, accuracy: 1e-9)
            XCTAssertEqual(helper.frame.size.height, page.zoom.frame.size.height, accuracy: 1e-9)
            assertEqual(stage.colour(x: 400, y: 300), Colour(red: 0, green: 0, blue: 128))
            stage.animator.finish()
            XCTAssertEqual(stage.animator.runs.map(\.duration), [0.2, 0.2])
            XCTAssertNil(page.helper)
            XCTAssertEqual(helper.opacity, 1)
            XCTAssertEqual(helper.scaleY, 1)
            assertEqual(stage.colour(x: 400, y: 300), Colour(red: 128, green: 0, blue: 0))
            XCTAssertTrue(page.inputIsHeld)
            stage.animator.advance(to: 0.5)
            assertEqual(stage.colour(x: 400, y: 300), Colour(red: 191, green: 0, blue: 0))
            stage.animator.finish()
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            XCTAssertFalse(page.inputIsHeld)
            XCTAssertTrue(stage.animator.running.isEmpty)
        }
    }

    /// S2-1 The jump from a thumbnail to an original of another size needs three causes: that gap, a load that begins with the
    /// tap, and a swap without a transition. One of them is always missing, and nothing changes at once.
    func testNoJump() throws {
        let gaps: [(thumbnail: (Int, Int), original: (Int, Int), expected: PixelSize?, isAnimated: Bool)] = [
            ((300, 225), (8000, 600), nil, true), ((300, 225), (1600, 900), nil, true),
            ((160, 90), (1600, 900), PixelSize(width: 1600, height: 900), false),
        ]
        for gap in gaps {
            try onHandoff(thumbnail: gap.thumbnail, .red) {
                $0.app.photos[0].expectedPixelSize = gap.expected
            } test: { stage in
                let before = stage.drawing
                arrive(in: stage, width: gap.original.0, height: gap.original.1)
                XCTAssertEqual(stage.drawing, before, "\(gap)")
                XCTAssertEqual(!stage.animator.running.isEmpty, gap.isAnimated, "\(gap)")
            }
        }
    }

    /// S2-1 With the gap, but with an original that is there before the tap, there is nothing to jump from.
    func testNoJumpWithoutALoad() throws {
        try onHandoff { stage in
            stage.app.thumbnails[1] = Photo(image: try Colour.blue.image(width: 300, height: 225))
            stage.app.photos[1] = Photo(image: try Colour.red.image(width: 800, height: 60))
            stage.browser.reloadData()
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            XCTAssertEqual(stage.colour(x: 400, y: 100), Self.black)
            XCTAssertTrue(stage.animator.runs.isEmpty)
        }
    }

    /// S2-20 By the frames of the screen, the handoff takes 0.4 seconds, in which input is ignored.
    func testTime() throws {
        try onMainThread {
            try requireDisplay()
            var time: Int64 = 1_000_000
            let stage = try browserStage(3) { stage in
                stage.app.thumbnails[0] = Photo(image: try Colour.blue.image(width: 300, height: 225))
                stage.deck.animator = FrameAnimator(stage.browser.pages.stage) { _ in time }
            }
            defer { stage.close() }
            awaitLoad(in: stage)
            arrive(in: stage, width: 8000, height: 600)
            let page = try XCTUnwrap(stage.page)
            @MainActor func advance(_ microseconds: Int64) {
                time += microseconds
                drawFrames(2, of: stage.window)
            }
            advance(0)
            XCTAssertEqual(page.helper?.opacity, 1)
            advance(100_000)
            XCTAssertEqual(try XCTUnwrap(page.helper?.opacity), 0.75, accuracy: 1e-9)
            advance(99_999)
            XCTAssertNotNil(page.helper)
            advance(1)
            XCTAssertNil(page.helper)
            XCTAssertEqual(page.opacity, 0.5)
            advance(100_000)
            XCTAssertEqual(page.opacity, 0.75, accuracy: 1e-9)
            advance(99_999)
            XCTAssertTrue(page.inputIsHeld)
            advance(1)
            XCTAssertFalse(page.inputIsHeld)
            XCTAssertEqual(page.opacity, 1)
        }
    }

    /// S2-4 A thumbnail that says what its original measures stands where that will be; the swap is not animated.
    func testSameSize() throws {
        try onHandoff(thumbnail: (160, 90)) {
            $0.app.photos[0].expectedPixelSize = PixelSize(width: 1600, height: 900)
        } test: { stage in
            let frame = try XCTUnwrap(stage.page?.helper?.frame)
            XCTAssertEqual(frame, PointRect(x: 0, y: 75, width: 800, height: 450))
            arrive(in: stage, width: 1600, height: 900)
            XCTAssertTrue(stage.animator.runs.isEmpty)
            XCTAssertNil(stage.page?.helper)
            XCTAssertEqual(stage.page?.zoom.frame, frame)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
        }
    }

    /// S2-5 S2-6 The thumbnail of a vertical long picture that shows its top stands at the top, as wide as the view, and
    /// the picture takes its place unseen.
    func testVertical() throws {
        try onHandoff(thumbnail: (300, 225)) {
            $0.app.photos[0].expectedPixelSize = PixelSize(width: 800, height: 16_000)
        } test: { stage in
            XCTAssertEqual(stage.page?.helper?.frame, PointRect(x: 0, y: 0, width: 800, height: 600))
            arrive(in: stage, width: 800, height: 16_000)
            XCTAssertTrue(stage.animator.runs.isEmpty)
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 0, y: 0, width: 800, height: 16_000))
        }
    }

    /// S2-19 Another original than its thumbnail said fades in over it.
    func testOtherProportions() throws {
        try onHandoff(thumbnail: (200, 200)) {
            $0.app.photos[0].expectedPixelSize = PixelSize(width: 2000, height: 2000)
        } test: { stage in
            arrive(in: stage, width: 1600, height: 900)
            stage.animator.advance(to: 0.5)
            assertEqual(stage.colour(x: 400, y: 300), Colour(red: 128, green: 0, blue: 127))
            // The part of the thumbnail that the original does not cover fades out meanwhile.
            assertEqual(stage.colour(x: 400, y: 20), Colour(red: 0, green: 0, blue: 127))
            stage.animator.finish()
            XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            XCTAssertEqual(stage.colour(x: 400, y: 20), Self.black)
        }
    }

    /// S2-7 A part of a progressive original does not take the place of the thumbnail; all of it does.
    func testProgressiveOriginal() throws {
        try onHandoff {
            let photo = $0.app.photos[0]
            photo.options = .progressiveLoad
            photo.context.manager = WebImageManager(
                cache: SuspendedCache(), loader: $0.loader, coder: ImageCodersManager.shared)
        } test: { stage in
            let file = try Image(bitmap: SamplePicture.make(0, width: 600, height: 40)).data(as: .png)
            let load = try XCTUnwrap(stage.pending(0).first)
            load.send(file.prefix(file.count / 2))
            load.progress(file.count / 2, of: file.count)
            iterate(until: { stage.page?.hasPicture == true }, "a part is there")
            XCTAssertEqual(stage.page?.handoff.phase, .covered)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .blue)
            load.finish(file)
            iterate(until: { stage.page?.handoff.phase != .covered }, "the original is there")
            XCTAssertEqual(stage.animator.running.count, 1)
            stage.animator.finishAll()
            XCTAssertNil(stage.page?.helper)
        }
    }

    /// S2-2 The strategy of an indicator shows no thumbnail.
    func testIndicator() throws {
        try onHandoff {
            $0.browser.handoffStrategy = .indicator
        } test: { stage in
            XCTAssertEqual(stage.colour(x: 400, y: 300), Self.black)
            XCTAssertEqual(stage.browser.pages.status.content, .loading(nil))
            arrive(in: stage, width: 8000, height: 600)
            XCTAssertTrue(stage.animator.runs.isEmpty)
        }
    }

    /// S2-17 After a failed load, the thumbnail goes and the failure shows.
    func testFailure() throws {
        try onHandoff { stage in
            stage.fail(0)
            iterate(until: { stage.page?.helper == nil }, "the thumbnail is gone")
            XCTAssertTrue(stage.animator.runs.isEmpty)
            guard case .failed = stage.browser.pages.status.content else { return XCTFail("no complaint") }
        }
    }

    /// S2-13 S2-16 A turn in the middle of a handoff ends it: the page is visible when it comes back, and no animation
    /// of it runs on.
    func testTurnInTheMiddle() throws {
        for phase in 0..<2 {
            try onHandoff { stage in
                arrive(in: stage, width: 8000, height: 600)
                let page = try XCTUnwrap(stage.page)
                if phase == 1 { stage.animator.finish() }
                stage.animator.advance(to: 0.5)
                stage.browser.setCurrentPhotoIndex(1)
                XCTAssertEqual(page.opacity, 1)
                XCTAssertNil(page.helper)
                XCTAssertFalse(page.inputIsHeld)
                XCTAssertTrue(stage.animator.running.isEmpty)
                stage.browser.setCurrentPhotoIndex(0)
                XCTAssertEqual(stage.colour(x: 400, y: 300), .red)
            }
        }
    }

    /// S2-21 An original that is there is shown at once, with no thumbnail before it.
    func testOriginalIsThere() throws {
        try onHandoff { stage in
            stage.app.thumbnails[1] = Photo(image: try Colour.blue.image())
            stage.app.photos[1] = Photo(image: try Colour.green.image(width: 400, height: 300))
            stage.browser.reloadData()
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(stage.page?.handoff.phase, Handoff.Phase.none)
            XCTAssertNil(stage.page?.helper)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .green)
        }
    }
}
