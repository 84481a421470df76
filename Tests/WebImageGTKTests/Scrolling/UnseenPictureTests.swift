import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Pictures of invisible cells, in real windows.
final class UnseenPictureTests: GTKTestCase, @unchecked Sendable {
    private static let count = 40

    /// The memory of invisible pictures can be reclaimed.
    func testOnlySomeUnseenPicturesAreKeptAndAllAreBackWhenTheyAreSeen() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            stage.setVisible(false)
            XCTAssertEqual(stage.shownCount, 24)
            stage.setVisible(true)
            iterate(until: { stage.isOnScreen }, "the pictures")
            XCTAssertEqual(stage.shownCount, Self.count)
            XCTAssertEqual(loader.count, Self.count, "memory has them all")
            for index in 0..<Self.count {
                XCTAssertEqual(stage.view(index).image?.colour, Colour(numbered: index))
            }
        }
    }

    func testAPictureThatMemoryHasLetGoIsFreedAndLoadedAgain() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            weak let bitmap = stage.view(0).image?.bitmap
            let width = gtk_widget_get_width(stage.pictures[0])
            stage.setVisible(false)
            stage.cache.clear(.memory, completion: nil)
            iterate(until: { bitmap == nil }, "the end of the bitmap")
            XCTAssertNil(Coordinator.of(stage.pictures[0]).display.image)

            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { stage.view(0).image != nil }, "the picture")
            XCTAssertEqual(loader.count, Self.count + 1)
            XCTAssertEqual(stage.view(0).image?.colour, Colour(numbered: 0))
            iterate(until: { gtk_widget_get_width(stage.pictures[0]) == width }, "its former place")
        }
    }

    /// Only the view retains it.
    func testAPictureThatNoCacheCanBringBackIsNeverLetGo() throws {
        try onMainThread {
            let (stage, loader) = try filled {
                $0.storeCacheType = .noCache
                $0.originalStoreCacheType = .noCache
            }
            defer { stage.close() }
            stage.setVisible(false)
            XCTAssertEqual(stage.shownCount, Self.count)
            stage.setVisible(true)
            iterate(until: { stage.isOnScreen }, "the pictures")
            XCTAssertEqual(loader.count, Self.count)
        }
    }

    func testThePlaceholderIsThereUntilAPictureIsBackAndWhenItDoesNotComeBack() throws {
        try onMainThread {
            let (stage, loader) = try filled(placeholder: try Colour.green.image(width: 3, height: 3))
            defer { stage.close() }
            weak let bitmap = stage.view(0).image?.bitmap
            let indicator = try TestIndicator(side: 0)
            let runs = { indicator.events.last { [.start, .stop].contains($0) } == .start }
            stage.view(0).imageIndicator = indicator
            let paintable = try XCTUnwrap(PictureTarget(widget: stage.pictures[0]).paintable)
            let colour = { (x: Int) in Rendering(paintable, width: 40, height: 10).colour(x: x, y: 5) }
            stage.setVisible(false)
            stage.cache.clear(.memory, completion: nil)
            iterate(until: { bitmap == nil }, "the end of the bitmap")
            XCTAssertEqual(colour(20), .clear)
            loader.hold()
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { loader.held.loads.count == 1 }, "the load of what was let go")
            XCTAssertEqual(colour(20), .green)
            XCTAssertTrue(runs())
            loader.held.loads[0].fail(.scripted)
            iterate(until: { !stage.manager.isRunning }, "the failure")
            XCTAssertEqual(colour(20), .green)
            XCTAssertFalse(runs())

            gtk_widget_set_visible(stage.pictures[0], 0)
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { loader.held.loads.count == 2 }, "another try")
            loader.held.loads[1].finish(Colour(numbered: 0).file)
            XCTAssertTrue(runs())
            iterate(until: { stage.isShown(0) }, "the picture")
            XCTAssertEqual(colour(2), Colour(numbered: 0))
            XCTAssertFalse(runs())
        }
    }

    func testAStandInLooksAsThePlaceholderDidBeforeTheFirstLoad() throws {
        try onMainThread {
            try requireDisplay()
            let placeholders: [(UnsafeMutablePointer<GtkWidget>) throws -> Image?] = [
                { _ in .color(RGBAColor(red: 0, green: 255, blue: 0)) },
                { _ in try Colour.green.image(width: 30, height: 90) },
                { Image(iconNamed: "list-add-symbolic", size: 16, for: $0) },
            ]
            for placeholder in placeholders {
                for fit in [GTK_CONTENT_FIT_CONTAIN, GTK_CONTENT_FIT_COVER] { try compareLooks(placeholder, fit) }
            }
        }
    }

    @MainActor
    private func compareLooks(
        _ make: (UnsafeMutablePointer<GtkWidget>) throws -> Image?, _ fit: GtkContentFit
    ) throws {
        let stage = Stage(pictures: 1)
        let loader = QuickLoader()
        let manager = WebImageManager(cache: SuspendedCache(), loader: loader, coder: PosterCoder())
        let widget = stage.widgets[0]
        defer { stage.close() }
        gtk_widget_set_size_request(widget, 160, 90)
        gtk_picture_set_content_fit(OpaquePointer(widget), fit)
        let view = PictureView(widget)
        stage.present(in: self)
        let placeholder = try XCTUnwrap(make(widget))
        var context = WebImageContext()
        (context.manager, context.storeCacheType) = (manager, .noCache)
        loader.hold()
        view.setImage(with: URL(filePath: "/1"), placeholder: placeholder, context: context)
        let first = stage.drawn(widget, in: self)
        iterate(until: { loader.held.loads.count == 1 }, "the load")
        loader.held.loads[0].finish(Colour.red.file)
        iterate(until: { view.image?.colour == .red }, "the picture")
        let coordinator = Coordinator.of(widget)
        coordinator.display.drop()
        coordinator.surface.standIn(placeholder, at: view.slot.key)
        let again = stage.drawn(widget, in: self)
        XCTAssertTrue(first.bytes.contains { $0 != 0 })
        XCTAssertEqual([again.width, again.height], [first.width, first.height])
        XCTAssertTrue(again.bytes == first.bytes, "\(placeholder.appearance), \(fit)")
    }

    func testARequestForAReleasedPictureGetsItFromMemoryAndChangesNothing() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            stage.setVisible(false)
            XCTAssertNil(Coordinator.of(stage.pictures[0]).display.image)
            XCTAssertEqual(stage.view(0).image?.colour, Colour(numbered: 0))
            XCTAssertNil(Coordinator.of(stage.pictures[0]).display.image)
            weak let bitmap = stage.view(0).image?.bitmap
            stage.cache.clear(.memory, completion: nil)
            iterate(until: { bitmap == nil }, "the end of the bitmap")
            XCTAssertNil(stage.view(0).image)
            XCTAssertFalse(stage.manager.isRunning)
            XCTAssertEqual(loader.count, Self.count)
        }
    }

    /// Of cells that were visible for a moment during fast scrolling.
    func testPicturesThatComeBackToAnInvisibleViewAreReleasedToo() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            stage.setVisible(false)
            let dropped = stage.pictures.indices.filter { !stage.isShown($0) }
            XCTAssertEqual(dropped.count, Self.count - 24)
            for index in dropped { stage.removeFromMemory(index) }
            iterate(until: { dropped.allSatisfy { stage.view($0).image == nil } }, "the end of their bitmaps")
            loader.hold()
            for index in dropped { gtk_widget_set_visible(stage.pictures[index], 1) }
            iterate(until: { loader.held.loads.count == dropped.count }, "their loads")
            for index in dropped { gtk_widget_set_visible(stage.pictures[index], 0) }
            drawFrames(stage, 3)
            XCTAssertEqual(loader.held.loads.filter(\.isCancelled).count, 0, "all of them are still near")
            for load in loader.held.loads { load.finish(Colour(numbered: load.request.url).file) }
            iterate(until: { !stage.manager.isRunning }, "the ends of their loads")
            XCTAssertEqual(stage.shownCount, 24)
        }
    }

    func testPicturesThatCouldNotBeLetGoAreAskedAgain() throws {
        try onMainThread {
            let (stage, _) = try filled()
            defer { stage.close() }
            let memory = stage.cache.memory
            stage.cache.clear(.memory, completion: nil)
            stage.setVisible(false)
            XCTAssertEqual(stage.shownCount, Self.count, "nobody else has them")
            for (key, image) in memory { stage.cache.storeInMemory(image, for: key) }
            gtk_widget_set_visible(stage.pictures[0], 1)
            gtk_widget_set_visible(stage.pictures[0], 0)
            XCTAssertEqual(stage.shownCount, 24)
        }
    }

    /// A hidden page may have pictures as large as their files.
    func testUnseenPicturesAreBoundedByTheirBytesToo() throws {
        try onMainThread {
            let (stage, _) = try filled()
            defer { stage.close() }
            let bytes = try XCTUnwrap(stage.view(0).image).heldByteCount
            let unseen = UnseenViews(limit: .init(bytes: bytes * 5 / 2))
            for index in 0..<4 {
                gtk_widget_set_visible(stage.pictures[index], 0)
                unseen.hide(Coordinator.of(stage.pictures[index]))
            }
            XCTAssertEqual((0..<4).map { stage.isShown($0) }, [false, false, true, true])
        }
    }

    /// Even pictures that only the disk has otherwise.
    func testAllUnseenPicturesAreLetGoWhenMemoryIsShort() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            for index in 0..<10 { gtk_widget_set_visible(stage.pictures[index], 0) }
            stage.cache.clear(.memory, completion: nil)
            XCTAssertEqual(stage.shownCount, Self.count)
            MemoryPressure.shared.report(.warning)
            iterate(until: { stage.shownCount == Self.count - 10 }, "the end of what nobody sees")
            iterate(until: { (0..<10).allSatisfy { stage.view($0).image == nil } }, "the end of their bitmaps")
            stage.setVisible(true)
            iterate(until: { stage.loadedCount == Self.count }, "all pictures")
            XCTAssertEqual(loader.count, Self.count + 10)
        }
    }

    /// A callback of the load that restores a picture may set other content in its place.
    func testALoadThatBringsAPictureBackEndsWithItsPlace() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            let own = try Colour.green.image()
            weak let picture = stage.view(0).image
            stage.setVisible(false)
            stage.removeFromMemory(0)
            // The thread that has decoded it may still hold it; it would be shown again without a load.
            iterate(until: { picture == nil }, "the end of the picture")
            loader.hold()
            stage.manager.interceptors = [Meanwhile { stage.view(0).image = own }]
            gtk_widget_set_visible(stage.pictures[0], 1)
            XCTAssertTrue(stage.view(0).image === own, "set when memory was asked")
            drawFrames(stage, 3)
            XCTAssertEqual(loader.held.loads.count, 0)
            XCTAssertTrue(stage.view(0).image === own)
        }
    }

    /// For instance the thread that has decoded it.
    func testAReleasedPictureThatSomethingElseHoldsIsBackWithoutALoad() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            let picture = try XCTUnwrap(stage.view(0).image)
            stage.setVisible(false)
            stage.removeFromMemory(0)
            XCTAssertFalse(stage.isShown(0))
            loader.hold()
            gtk_widget_set_visible(stage.pictures[0], 1)
            XCTAssertTrue(Coordinator.of(stage.pictures[0]).display.image === picture)
            XCTAssertEqual(loader.held.loads.count, 0)
        }
    }

    func testAPictureOfTheAppsOwnIsNeverLetGo() throws {
        try onMainThread {
            let (stage, _) = try filled()
            defer { stage.close() }
            let own = try Colour.green.image()
            stage.view(0).image = own
            stage.setVisible(false)
            XCTAssertTrue(stage.view(0).image === own)
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { gtk_widget_get_mapped(stage.pictures[0]) != 0 }, "the cell")
            XCTAssertTrue(stage.view(0).image === own)
        }
    }

    func testAPictureThatTheAppSetsInPlaceOfOneThatWasLetGoStays() throws {
        try onMainThread {
            let (stage, _) = try filled()
            defer { stage.close() }
            stage.setVisible(false)
            let own = try Colour.green.image()
            stage.view(0).image = own
            stage.setVisible(true)
            iterate(until: { stage.isOnScreen }, "the cells")
            XCTAssertTrue(stage.view(0).image === own)
        }
    }

    /// S3-23: a released picture does not return to a cell that was bound to another one.
    func testACellThatIsBoundAnewForgetsWhatItHad() throws {
        try onMainThread {
            let (stage, loader) = try filled()
            defer { stage.close() }
            weak let bitmap = stage.view(0).image?.bitmap
            stage.setVisible(false)
            stage.cache.clear(.memory, completion: nil)
            iterate(until: { bitmap == nil }, "the end of the bitmap")
            loader.hold()
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { loader.held.loads.count == 1 }, "the load of what was let go")
            stage.bind(0, to: "49") { $0.loader = loader }
            XCTAssertTrue(loader.held.loads[0].isCancelled)
            iterate(until: { loader.held.loads.count == 2 }, "the other load")
            loader.held.loads[0].finish(Colour(numbered: 0).file)
            loader.held.loads[1].finish(Colour(numbered: 49).file)
            iterate(until: { stage.view(0).image != nil }, "the new picture")
            XCTAssertEqual(stage.view(0).image?.colour, Colour(numbered: 49))
        }
    }

    /// A list with a different picture in each cell.
    @MainActor
    private func filled(
        placeholder: Image? = nil, configure: (inout WebImageContext) -> Void = { _ in }
    ) throws -> (ListStage, QuickLoader) {
        try requireDisplay()
        // GTK's renderer keeps smaller ones in an atlas for another second.
        let stage = ListStage(pictures: Self.count, size: 160)
        let loader = QuickLoader()
        stage.present(in: self)
        for index in 0..<Self.count {
            stage.bind(index, to: "\(index)", placeholder: placeholder) {
                $0.loader = loader
                configure(&$0)
            }
        }
        iterate(until: { stage.loadedCount == Self.count }, "all pictures")
        return (stage, loader)
    }
}

extension ListStage {
    fileprivate func setVisible(_ isVisible: Bool) {
        for picture in pictures { gtk_widget_set_visible(picture, isVisible ? 1 : 0) }
    }

    /// The number of cells that show a loaded picture, not a placeholder.
    fileprivate var loadedCount: Int {
        pictures.count { (Coordinator.of($0).display.image?.pixelSize.width ?? 0) > 3 }
    }

    /// The number of cells that hold their picture.
    fileprivate var shownCount: Int { pictures.indices.count { isShown($0) } }

    fileprivate func isShown(_ index: Int) -> Bool { Coordinator.of(pictures[index]).display.image != nil }

    /// Removes the picture of a cell from memory.
    fileprivate func removeFromMemory(_ index: Int) {
        let image = view(index).image
        for (key, _) in cache.memory.filter({ $0.value === image }) {
            cache.remove(for: key, from: .memory, completion: nil)
        }
    }
}
