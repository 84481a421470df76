import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A browser in a window: its pages, what it loads, and what it tells.
final class PhotoBrowserTests: GTKTestCase, @unchecked Sendable {
    /// S2-8 The delegate hears of a photo that was loaded ahead when its page is turned to, once.
    func testToldOfWhatWasLoadedAhead() throws {
        try onBrowser { stage in
            load(in: stage)
            load(1, in: stage)
            XCTAssertFalse(stage.app.takeEvents().contains { $0.hasPrefix("load 1") })
            stage.browser.showNextPhoto(animated: false)
            XCTAssertEqual(stage.app.takeEvents(), ["display 1", "load 1 0.5"])
            stage.browser.showPreviousPhoto(animated: false)
            stage.browser.showNextPhoto(animated: false)
            XCTAssertEqual(stage.app.takeEvents(), ["display 0", "display 1"])
        }
    }

    /// A photo whose failure may have passed is tried again when the person comes back to it.
    func testRetryOnReturn() throws {
        try onBrowser { stage in
            awaitLoad(in: stage)
            stage.fail(0)
            iterate(until: { stage.app.photos[0].error != nil }, "the photo has failed")
            XCTAssertTrue(stage.pending(0).isEmpty)
            stage.browser.showNextPhoto(animated: false)
            stage.browser.showPreviousPhoto(animated: false)
            load(in: stage)
        }
    }

    /// MW-1 MW-12 MW-17 MW-18 A browser asks for the count once and for the photos near the current one, and begins with
    /// the first.
    func testAsksForWhatItNeeds() throws {
        try onBrowser { stage in
            XCTAssertEqual(stage.browser.currentIndex, 0)
            XCTAssertEqual(stage.app.takeAsked(), [0, 1])
            stage.browser.setCurrentPhotoIndex(1)
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertEqual(stage.app.takeAsked(), [2])
            // Also for pages that have been away.
            stage.browser.setCurrentPhotoIndex(4)
            stage.browser.setCurrentPhotoIndex(0)
            XCTAssertEqual(stage.app.takeAsked().sorted(), [3, 4])
            XCTAssertEqual(stage.app.countCalls, 1)
            stage.browser.reloadData()
            XCTAssertEqual(stage.app.takeAsked(), [0, 1])
        }
    }

    /// MW-1 A browser of a list keeps the list.
    func testList() throws {
        try onMainThread {
            try requireDisplay()
            let browser = PhotoBrowser(photos: [Photo(image: try Colour.red.image()), Photo(.empty)])
            XCTAssertEqual(browser.numberOfPhotos, 2)
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            gtk_window_set_child(window.of(GtkWindow.self), browser.widget)
            gtk_window_present(window.of(GtkWindow.self))
            iterate(
                until: { browser.pages.deck.current?.hasPicture == true },
                "the picture is there: \(browser.pages.deck.view), \(browser.pages.deck.isOpen), \(browser.pages.deck.pages)"
            )
        }
    }

    /// MW-30 The current photo is loaded first, and its neighbours when it has been; others are let go of.
    func testOrderOfLoads() throws {
        try onBrowser {
            $0.browser.setCurrentPhotoIndex(2)
        } test: { stage in
            iterate(until: { stage.pending(2).count == 1 }, "the current photo is being loaded")
            XCTAssertTrue(stage.pending(1).isEmpty && stage.pending(3).isEmpty)
            load(2, in: stage)
            iterate(until: { !stage.pending(1).isEmpty && !stage.pending(3).isEmpty }, "the neighbours are loaded")
            XCTAssertEqual(stage.loader.loads.map(\.request.url), [2, 3, 1].map { BrowserStage.url($0) })
            stage.browser.setCurrentPhotoIndex(4)
            XCTAssertNil(stage.app.photos[2].underlyingImage)
            XCTAssertTrue(stage.pending(1).isEmpty)
            XCTAssertEqual(Set(stage.deck.pages.keys), [3, 4])
        }
    }

    /// MW-30 A page that is turned to while it loads is loaded on, not anew.
    func testTurnWhileLoading() throws {
        try onBrowser { stage in
            load(in: stage)
            awaitLoad(of: 1, in: stage)
            stage.browser.showNextPhoto(animated: false)
            XCTAssertEqual(stage.loader.loads(of: BrowserStage.url(1)).count, 1)
            load(1, in: stage, .green)
            XCTAssertEqual(stage.colour(x: 400, y: 300), .green)
        }
    }

    /// MW-16 MW-22 Turns end at the ends, and each change of the photo is told once, the first one too.
    func testTurns() throws {
        try onBrowser(3) { stage in
            XCTAssertEqual(stage.app.takeEvents(), ["display 0"])
            stage.browser.showPreviousPhoto(animated: true)
            XCTAssertTrue(stage.animator.running.isEmpty)
            stage.browser.showNextPhoto(animated: true)
            stage.animator.advance(to: 0.4)
            XCTAssertEqual(stage.browser.currentIndex, 0)
            stage.animator.advance(to: 0.6)
            stage.animator.finish()
            stage.browser.showNextPhoto(animated: false)
            stage.browser.showNextPhoto(animated: false)
            XCTAssertEqual(stage.app.takeEvents(), ["display 1", "display 2"])
            XCTAssertEqual(stage.browser.currentIndex, 2)
        }
    }

    /// MW-15 An index can be set before the browser is visible, is clamped, and later jumps without an animation.
    func testSetIndex() throws {
        try onBrowser {
            $0.browser.setCurrentPhotoIndex(99)
        } test: { stage in
            XCTAssertEqual(stage.browser.currentIndex, 4)
            XCTAssertEqual(stage.app.takeEvents(), ["display 4"])
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertTrue(stage.animator.runs.isEmpty)
            XCTAssertEqual(stage.browser.panels.controls.content.title, "2 of 5")
        }
    }

    /// MW-16 A turn before the browser is visible is one of the first photo.
    func testTurnBefore() throws {
        try onBrowser {
            $0.browser.setCurrentPhotoIndex(2)
            $0.browser.showNextPhoto(animated: true)
            XCTAssertEqual($0.browser.currentIndex, 3)
        } test: { stage in
            XCTAssertTrue(stage.animator.runs.isEmpty)
            XCTAssertEqual(stage.app.takeEvents(), ["display 3"])
        }
    }

    /// MW-14 A reload asks again, clamps the index, and keeps what the current photo has loaded.
    func testReload() throws {
        try onBrowser {
            $0.browser.setCurrentPhotoIndex(4)
        } test: { stage in
            load(4, in: stage)
            awaitLoad(of: 3, in: stage)
            stage.app.photos.insert(BrowserStage.photo(9, stage.manager), at: 0)
            stage.browser.reloadData()
            XCTAssertEqual(stage.browser.currentIndex, 4)
            XCTAssertNotNil(stage.app.photos[5].underlyingImage, "it is the neighbour now")
            XCTAssertNil(stage.app.photos[4].underlyingImage)
            stage.browser.setCurrentPhotoIndex(5)
            XCTAssertNotNil(stage.page?.still)
            stage.browser.reloadData()
            XCTAssertNotNil(stage.page?.still, "the photo that stays current keeps its picture")
            stage.app.photos.removeLast(4)
            stage.browser.reloadData()
            XCTAssertEqual(stage.browser.currentIndex, 1)
            stage.app.photos = []
            stage.browser.reloadData()
            XCTAssertEqual(stage.browser.currentIndex, 0)
            XCTAssertTrue(stage.deck.pages.isEmpty)
        }
    }

    /// MW-14 A reload in the middle of a turn or a drag ends that: no page beyond the last one comes into view.
    func testReloadInTurn() throws {
        for isDrag in [false, true] {
            try onBrowser {
                $0.browser.setCurrentPhotoIndex(3)
            } test: { stage in
                let input = try XCTUnwrap(stage.browser.input)
                if isDrag {
                    input.beginDrag(to: -500, 0, at: 0.1)
                } else {
                    stage.browser.showNextPhoto(animated: true)
                    stage.animator.advance(to: 0.7)
                }
                XCTAssertEqual(stage.browser.currentIndex, 4)
                stage.app.photos.removeLast(3)
                stage.browser.reloadData()
                input.updateDrag(-600, 0, at: 0.2)
                stage.animator.advance(to: 0.9)
                XCTAssertEqual(stage.deck.position.position, 1)
                input.endDrag(-600, 0)
                stage.animator.finishAll()
                XCTAssertEqual(stage.deck.position.position, 1)
            }
        }
    }

    /// Another data source brings other photos.
    func testOtherSource() throws {
        try onBrowser { stage in
            XCTAssertTrue(stage.browser.dataSource === stage.app)
            let other = BrowserApp([BrowserStage.photo(7, stage.manager)])
            stage.browser.dataSource = other
            XCTAssertEqual(stage.browser.numberOfPhotos, 1)
            XCTAssertTrue(stage.browser.currentPhoto === other.photos[0])
            stage.browser.dataSource = nil
            XCTAssertEqual(stage.browser.numberOfPhotos, 0)
            XCTAssertNil(stage.browser.currentPhoto)
        }
    }

    /// A photo can be saved wherever GIO writes; a place that cannot be written is said with the reason.
    func testSaving() throws {
        try onBrowser(1) { stage in
            let picture = try Colour.red.image(width: 8, height: 8)
            // As one that was let go of while the person has chosen the place.
            let photo = Photo(.closure { picture })
            let file = URL.temporaryDirectory.appending(path: "saved-\(UUID().uuidString).png")
            defer { try? FileManager.default.removeItem(at: file) }
            stage.browser.save(photo, picture, at: WritablePlace(file))
            iterate(until: { stage.notice == "Saved" }, "the photo is saved")
            XCTAssertEqual(try Data(contentsOf: file), try picture.data(as: .png))
            stage.clock.advance(by: .seconds(3))
            let resource = try XCTUnwrap(URL(string: "resource:///nowhere.png"))
            stage.browser.save(photo, picture, at: WritablePlace(resource))
            iterate(until: { stage.notice?.hasPrefix("The photo was not saved: ") == true }, "the reason")
        }
    }

    /// S2-8 S2-9 When a load ends, the page shows the picture first, then the neighbours are loaded, and then the delegate
    /// hears of it, with the factor that the page has given the picture; the controls are last.
    func testEndOfLoad() throws {
        try onBrowser(3) {
            $0.browser.setCurrentPhotoIndex(1)
        } test: { stage in
            _ = stage.app.takeEvents()
            var calls = 0
            stage.app.whenLoaded = { [unowned stage] in
                calls += 1
                XCTAssertEqual(stage.page?.hasPicture, true)
                XCTAssertEqual(stage.app.photos.map(\.isLoading), [true, false, true], "the neighbours load already")
                XCTAssertFalse(stage.browser.panels.controls.content.canAct, "the controls follow")
            }
            load(1, in: stage)
            iterate(until: { stage.app.takeEvents() == ["load 1 0.5"] }, "the delegate has heard")
            XCTAssertEqual(calls, 1)
            XCTAssertEqual(stage.page?.zoom.scale, 0.5)
            XCTAssertTrue(stage.browser.panels.controls.content.canAct)
        }
    }

    /// S2-8 MW-36 A failed load is told, and its page shows the reason and a button that tries again.
    func testFailure() throws {
        try onBrowser(2) { stage in
            _ = stage.app.takeEvents()
            awaitLoad(in: stage)
            stage.fail(0)
            iterate(until: { stage.app.takeEvents() == ["fail 0"] }, "the delegate has heard")
            guard case .failed(let reason) = stage.browser.pages.status.content else {
                return XCTFail("no complaint: \(stage.browser.pages.status.content)")
            }
            XCTAssertTrue(reason.contains("scripted failure"), reason)
            awaitLoad(of: 1, in: stage)
            press(stage.browser.pages.status.retryButton)
            load(in: stage, .blue)
            XCTAssertEqual(stage.browser.pages.status.content, .none)
        }
    }

    /// MW-36 MW-28 An empty photo, and an index without one, have neither a picture nor a complaint.
    func testEmpty() throws {
        try onBrowser(2) {
            $0.app.photos[0] = Photo(.empty)
        } test: { stage in
            iterate(until: { stage.app.photos[0].error != nil }, "the load has ended")
            XCTAssertEqual(stage.browser.pages.status.content, .none)
            XCTAssertFalse(stage.browser.panels.controls.content.hasAction)
            XCTAssertEqual(stage.colour(x: 400, y: 300), Colour(red: 0, green: 0, blue: 0))
        }
    }

    /// A data source that throws has a page with its error.
    func testThrowingSource() throws {
        try onBrowser(2) {
            $0.app.failing = [0]
        } test: { stage in
            awaitComplaint(in: stage)
        }
    }

    /// MW-41 The page shows the progress of its load, and none when that has ended.
    func testProgress() throws {
        try onBrowser(1) { stage in
            awaitLoad(in: stage)
            XCTAssertEqual(stage.browser.pages.status.content, .loading(nil))
            stage.pending(0)[0].progress(25, of: 100)
            iterate(until: { stage.browser.pages.status.content == .loading(0.25) }, "the progress is shown")
            load(in: stage)
            iterate(until: { stage.browser.pages.status.content == .none }, "the progress is gone")
        }
    }

    /// MW-30 MW-36 A resized window keeps the index, and lays the picture out anew.
    func testResize() throws {
        try onBrowser {
            $0.browser.setCurrentPhotoIndex(2)
        } test: { stage in
            load(2, in: stage)
            XCTAssertEqual(stage.page?.zoom.frame.size, PointSize(width: 800, height: 450))
            stage.deck.resize(to: PointSize(width: 400, height: 600), scale: 1)
            XCTAssertEqual(stage.browser.currentIndex, 2)
            XCTAssertEqual(stage.page?.zoom.frame, PointRect(x: 0, y: 187.5, width: 400, height: 225))
            stage.deck.resize(to: PointSize(width: 1, height: 1), scale: 1)
            XCTAssertEqual(stage.page?.zoom.frame.size.width, 1)
        }
    }

    /// The person can turn a picture by 90 degrees, and it fits again.
    func testTurnedPicture() throws {
        try onBrowser(1) { stage in
            load(in: stage)
            stage.browser.perform(.turn)
            let frame = try XCTUnwrap(stage.page?.zoom.frame)
            XCTAssertEqual(frame.size.height, 600)
            XCTAssertEqual(frame.size.width, 337.5)
            XCTAssertEqual(stage.colour(x: 400, y: 10), .red)
            XCTAssertEqual(stage.colour(x: 100, y: 300), Colour(red: 0, green: 0, blue: 0))
        }
    }

    /// MW-46 A browser that is destroyed has no loads, no timers and no animations left, and is freed.
    func testEnd() throws {
        try onMainThread {
            let live = LiveReferences()
            try run {
                let stage = try browserStage()
                live.watch(stage.browser)
                live.watch(stage.deck)
                stage.app.photos.forEach { live.watch($0) }
                awaitLoad(in: stage)
                stage.browser.showNextPhoto(animated: true)
                stage.close()
                XCTAssertTrue(stage.pending(0).isEmpty)
                XCTAssertEqual(stage.clock.pendingCount, 0)
            }
            iterate(until: { live.count == 0 }, "all is freed, but not \(live.left)")
        }
    }

    /// MW-46 When memory is short, all photos but the visible one are let go, and come again with the next turn.
    func testMemoryPressure() throws {
        try onBrowser { stage in
            load(in: stage)
            load(1, in: stage)
            MemoryPressure.shared.report(.warning)
            iterate(until: { stage.app.photos[1].underlyingImage == nil }, "the neighbour is let go")
            XCTAssertNotNil(stage.app.photos[0].underlyingImage)
            XCTAssertEqual(Set(stage.deck.pages.keys), [0])
            stage.browser.showNextPhoto(animated: false)
            XCTAssertNotNil(stage.deck.pages[2])
        }
    }

    /// A sharper decode that fails is tried again at the next zoom, and not by itself; the picture that is there stays.
    func testFailedSharpening() throws {
        try onMainThread {
            let calls = Recorder<Bool>()
            let small = try SizedColourCoder().decode(
                SizedColourCoder.file(.red, width: 4000, height: 3000), options: ImageDecodeOptions())
            let stage = try browserStage(1) {
                $0.app.photos[0] = Photo(
                    .closure {
                        calls.append(true)
                        if calls.values.count > 1 { throw WebImageError.scripted }
                        return small
                    })
            }
            defer { stage.close() }
            iterate(until: { stage.page?.hasPicture == true }, "the photo is there")
            stage.browser.input?.zoom(by: 3)
            stage.animator.finish()
            XCTAssertEqual(stage.page?.photo.isLoading, true)
            iterate(until: { calls.values.count == 2 }, "a sharper one is being loaded")
            iterate(until: { stage.page?.photo.error != nil }, "it has failed")
            for _ in 0..<50 { g_main_context_iteration(nil, 0) }
            // The picture that is there is no failure.
            XCTAssertFalse(stage.app.takeEvents().contains("fail 0"))
            // A load that begins calls the app in a later turn.
            XCTAssertEqual(stage.page?.photo.isLoading, false)
            XCTAssertEqual(calls.values.count, 2)
            XCTAssertTrue(stage.page?.hasPicture == true)
            stage.browser.input?.zoom(by: 1.1)
            stage.animator.finish()
            iterate(until: { calls.values.count == 3 }, "the sharper one is tried again")
        }
    }

    /// The button to try again asks a data source again that has thrown.
    func testRetryOfThrowingSource() throws {
        try onBrowser(2) {
            $0.app.failing = [0]
        } test: { stage in
            awaitComplaint(in: stage)
            stage.app.failing = []
            press(stage.browser.pages.status.retryButton)
            load(in: stage)
            XCTAssertEqual(stage.browser.pages.status.content, .none)
        }
    }

    /// A turn during a zoom does not bring the frame of the picture before the turn back.
    func testTurnDuringZoom() throws {
        try onBrowser(1) { stage in
            load(in: stage)
            stage.browser.input?.zoom(by: 3)
            stage.browser.perform(.turn)
            let frame = stage.page?.zoom.frame
            stage.animator.finish()
            XCTAssertEqual(stage.page?.zoom.frame, frame)
        }
    }

    /// The quirks of MWPhotoBrowser are absent: no index wraps round, also in an empty browser.
    func testNoWrap() throws {
        try onBrowser(0) { stage in
            stage.browser.showPreviousPhoto(animated: false)
            stage.browser.showNextPhoto(animated: false)
            stage.browser.setCurrentPhotoIndex(-3)
            XCTAssertEqual(stage.browser.currentIndex, 0)
            XCTAssertTrue(stage.app.takeEvents().isEmpty)
            XCTAssertNil(stage.browser.currentPhoto)
        }
    }

    @MainActor
    private func run(_ body: () throws -> Void) rethrows { try body() }
}
