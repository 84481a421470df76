import CGtk4
import CMalloc
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Random schedules of what people and servers do, replayable by their seeds.
final class BrowserStormTests: GTKTestCase, @unchecked Sendable {
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) | (state << 31)
        }
    }

    /// S2-16 Never two pages in one place, a stale picture, or a hidden page without a thumbnail; nothing is alive at the
    /// end.
    func testSchedules() throws {
        try onMainThread {
            for seed in UInt64(1)...12 {
                let live = LiveReferences()
                try storm(seed, live)
                iterate(until: { live.count == 0 }, "seed \(seed): all is freed, but not \(live.left)")
            }
        }
    }

    @MainActor
    private func storm(_ seed: UInt64, _ live: LiveReferences) throws {
        var random = Generator(state: seed)
        let stage = try presentingStage(8, thumbnails: 1) {
            for index in 0..<8 {
                $0.app.thumbnails[index] = Photo(image: try Colour.blue.image(width: 30, height: 20))
            }
        }
        defer { stage.close() }
        for part in [stage.browser, stage.deck] as [AnyObject] { live.watch(part) }
        let all = stage.app.photos
        var pageCount = 0
        for step in 0..<200 {
            var action = Int.random(in: 0..<20, using: &random)
            // A closed browser is soon presented again: there is little to check without one.
            if !stage.browser.screen.isTaken, step.isMultiple(of: 4) { action = 0 }
            action < 14 ? act(action, stage, &random) : interfere(action, stage, all, &random)
            settle(stage)
            check(stage, "seed \(seed), step \(step)")
            for page in stage.deck.pages.values {
                for part in [page, page.still, page.helper, page.helper?.still] as [AnyObject?] { live.watch(part) }
            }
            pageCount += stage.deck.pages.count
        }
        XCTAssertGreaterThan(pageCount, 100, "seed \(seed): there were hardly any pages to check")
        stage.animator.finishAll()
        stage.browser.present(from: PictureView(stage.thumbnails[0]))
        stage.animator.finishAll()
        stage.browser.dismiss()
        stage.animator.finishAll()
        XCTAssertFalse(stage.browser.screen.isTaken, "seed \(seed)")
        XCTAssertTrue(stage.deck.pages.isEmpty)
        XCTAssertEqual(gtk_widget_get_opacity(stage.thumbnails[0]), 1)
        XCTAssertEqual(stage.clock.pendingCount, 0, "seed \(seed)")
    }

    @MainActor
    private func act(_ action: Int, _ stage: BrowserStage, _ random: inout Generator) {
        let (browser, input) = (stage.browser, stage.browser.input)
        let index = Int.random(in: 0..<8, using: &random)
        switch action {
        case 0: browser.present(from: PictureView(stage.thumbnails[0]))
        case 1: browser.showNextPhoto(animated: .random(using: &random))
        case 2: browser.showPreviousPhoto(animated: .random(using: &random))
        case 3: stage.finish(index, .red, width: 1600, height: .random(in: 1...2000, using: &random))
        case 4: stage.fail(index)
        case 5: stage.animator.advance(to: .random(in: 0...1, using: &random))
        case 6: stage.animator.finish()
        case 7: if Bool.random(using: &random) { browser.dismiss() }
        case 8: browser.reloadData()
        case 9: browser.setCurrentPhotoIndex(index)
        case 10:
            input?.beginDrag()
            input?.updateDrag(
                .random(in: -900...900, using: &random), .random(in: -300...300, using: &random), at: 0.1)
            input?.endDrag(0, 0)
        case 11: input?.zoom(by: .random(in: 0.3...3, using: &random))
        case 12: stage.clock.advance(by: .seconds(Double.random(in: 0...6, using: &random)))
        default: stage.deck.resize(to: PointSize(width: .random(in: 1...900, using: &random), height: 500), scale: 1)
        }
    }

    /// Waits until each load waits for its loader: a schedule does not depend on the speed of the threads that load.
    @MainActor
    private func settle(_ stage: BrowserStage) {
        iterate(
            until: {
                stage.app.photos.enumerated().allSatisfy { !$1.isLoading || !stage.pending($0).isEmpty }
            }, "the loads have got as far as the loader")
        iterateWhatIsReady()
    }

    /// Other events of a browser.
    @MainActor
    private func interfere(_ action: Int, _ stage: BrowserStage, _ all: [Photo], _ random: inout Generator) {
        let (browser, input) = (stage.browser, stage.browser.input)
        switch action {
        case 14:
            stage.app.photos = Array(all.prefix(.random(in: 0...8, using: &random)))
            browser.reloadData()
            XCTAssertTrue(stage.deck.position.isAtRest)
        case 15: browser.isGridVisible ? browser.hideGrid() : browser.showGrid()
        case 16: browser.open(.random(in: 0..<8, using: &random))
        case 17: browser.perform(.turn)
        case 18: gtk_widget_set_visible(stage.window, Bool.random(using: &random) ? 1 : 0)
        default:
            let isTouchpad = Bool.random(using: &random)
            for _ in 0..<3 {
                input?.scroll(
                    .random(in: -2...2, using: &random), .random(in: -2...2, using: &random), zooms: false,
                    isTouchpad: isTouchpad)
            }
            if isTouchpad { input?.endSwipe() }
        }
    }

    @MainActor
    private func check(_ stage: BrowserStage, _ place: String) {
        let places = stage.deck.visiblePages.map { stage.deck.x(of: $0) }
        XCTAssertEqual(Set(places).count, places.count, place)
        for (index, page) in stage.deck.pages {
            XCTAssertEqual(page.index, index, place)
            XCTAssertTrue(page.photo === stage.app.photos[index], place)
            if page.opacity == 0, !page.handoff.phase.isAnimating { XCTAssertNotNil(page.helper, place) }
            XCTAssertEqual(page.inputIsHeld, page.handoff.phase.isAnimating, place)
            if let still = page.still { XCTAssertTrue(still.image === page.photo.underlyingImage, place) }
        }
        XCTAssertLessThanOrEqual(stage.deck.pages.count, 3, place)
        let last = Double(max(0, stage.deck.position.count - 1))
        // A drag may go beyond the ends, and springs back.
        XCTAssertTrue((-0.5...last + 0.5).contains(stage.deck.position.position), place)
        XCTAssertTrue(
            stage.app.photos.enumerated().allSatisfy { index, photo in
                stage.deck.pages[index] != nil || photo.underlyingImage == nil
            }, place)
    }

    /// A thousand turns, each with a load from the network, leave nothing behind.
    func testNoGrowth() throws {
        try onBrowser(8) {
            for photo in $0.app.photos { photo.options = .fromLoaderOnly }
        } test: { stage in
            let live = LiveReferences()
            var bytes = 0
            for turn in 0..<1000 {
                turn % 14 < 7
                    ? stage.browser.showNextPhoto(animated: true) : stage.browser.showPreviousPhoto(animated: true)
                stage.animator.finish()
                load(stage, live)
                if turn == 200 { bytes = Int(mallinfo2().uordblks) }
            }
            XCTAssertGreaterThan(stage.loader.loads.count, 500)
            XCTAssertLessThanOrEqual((0..<8).flatMap { stage.pending($0) }.count, 2)
            XCTAssertTrue(stage.animator.running.isEmpty)
            XCTAssertLessThanOrEqual(stage.deck.pages.count, 3)
            XCTAssertLessThanOrEqual(stage.clock.pendingCount, 1)
            // Three pages, and what each draws.
            iterate(until: { live.count <= 6 }, "the others are freed, but not \(live.left)")
            // Of 100 × 56 pixels: the pictures of all turns would be more than twice as much.
            XCTAssertLessThan(Int(mallinfo2().uordblks) - bytes, 8 << 20)
        }
    }

    /// Brings the current picture, draws it, and watches what stands for it.
    @MainActor
    private func load(_ stage: BrowserStage, _ live: LiveReferences) {
        let index = stage.browser.currentIndex
        iterate(
            until: {
                stage.finish(index)
                return stage.page?.hasPicture == true
            }, "photo \(index) is there")
        _ = stage.colour(x: 400, y: 300)
        live.watch(stage.page)
        live.watch(stage.page?.still)
    }
}
