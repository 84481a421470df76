import CGtk4
import CGtkAccessibility
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The grid of a browser.
final class BrowserGridTests: GTKTestCase, @unchecked Sendable {
    /// Runs `body` with a browser with thumbnails that are there.
    private func onGrid(
        _ count: Int = 40, _ configure: @MainActor (BrowserStage) -> Void = { _ in },
        test body: @MainActor (BrowserStage) throws -> Void
    ) throws {
        try onBrowser(count) {
            for index in 0..<count { $0.app.thumbnails[index] = Photo(image: try Colour.blue.image()) }
            configure($0)
        } test: {
            try body($0)
        }
    }

    /// How far the grid is scrolled.
    @MainActor
    private func adjustment(_ stage: BrowserStage) throws -> UnsafeMutablePointer<GtkAdjustment> {
        let scroller = OpaquePointer(try XCTUnwrap(stage.browser.panels.grid).widget)
        return try XCTUnwrap(gtk_scrolled_window_get_vadjustment(scroller))
    }

    @MainActor
    private func cells(_ stage: BrowserStage) -> [PhotoGridCell] {
        (stage.browser.panels.grid?.liveCells ?? []).filter { gtk_widget_get_mapped($0.picture) != 0 && $0.index >= 0 }
            .sorted { $0.index < $1.index }
    }

    /// Also after the browser was out of sight.
    func testScreenReadersPassThePagesOverWhileTheGridIsVisible() throws {
        try onGrid(4) {
            $0.browser.startOnGrid = true
        } test: { stage in
            let pages = stage.browser.pages.stage
            XCTAssertNil(webimage_check_state(pages, GTK_ACCESSIBLE_STATE_HIDDEN, 1))
            for isVisible: gboolean in [0, 1] { gtk_widget_set_visible(stage.browser.widget, isVisible) }
            XCTAssertNil(webimage_check_state(pages, GTK_ACCESSIBLE_STATE_HIDDEN, 1))
            stage.browser.hideGrid()
            XCTAssertNil(webimage_check_state(pages, GTK_ACCESSIBLE_STATE_HIDDEN, 0))
        }
    }

    /// MW-7 MW-9 MW-19 The grid needs thumbnails, can be switched off, and opens first when asked for.
    func testAvailability() throws {
        try onGrid {
            $0.app.thumbnails = [:]
        } test: { stage in
            XCTAssertFalse(stage.browser.panels.controls.content.hasGrid)
            stage.browser.showGrid()
            XCTAssertFalse(stage.browser.isGridVisible)
        }
        try onGrid {
            $0.browser.enableGrid = false
        } test: { stage in
            XCTAssertFalse(stage.browser.panels.controls.content.hasGrid)
        }
        try onGrid {
            $0.browser.enableGrid = false
            $0.browser.startOnGrid = true
        } test: { stage in
            XCTAssertTrue(stage.browser.isGridVisible)
            XCTAssertEqual(stage.browser.title, "40 photos")
            stage.browser.displaySelectionButtons = true
            XCTAssertEqual(stage.browser.title, "Select Photos")
        }
    }

    /// MW-37 MW-45 The grid shows square thumbnails, keeps the controls, and a click opens the photo: it flies from its cell.
    func testOpen() throws {
        try onGrid { stage in
            press(try XCTUnwrap(stage.browser.panels.controls.button(of: .toggleGrid)))
            XCTAssertTrue(stage.browser.isGridVisible)
            iterate(until: { cells(stage).count >= 8 }, "the cells are on the screen")
            stage.clock.advance(by: .seconds(60))
            XCTAssertTrue(stage.browser.areControlsVisible)
            let columns = GridColumns(width: 800, height: 600)
            XCTAssertEqual(columns.count, 5)
            iterate(
                until: { cells(stage).allSatisfy { gtk_widget_get_width($0.picture) == gint(columns.side) } },
                "the cells are square")
            stage.browser.open(3)
            XCTAssertFalse(stage.browser.isGridVisible)
            XCTAssertEqual(stage.browser.currentIndex, 3)
            let pose = try XCTUnwrap(stage.browser.pages.flight.pose)
            XCTAssertEqual(pose.place.clip.size.width, Double(columns.side), accuracy: 1)
            stage.animator.finish()
            XCTAssertFalse(stage.browser.pages.flight.isRunning)
        }
    }

    /// MW-45 An app's rule for all its grid views moves no cell out of view, or under the bar.
    func testAppStyle() throws {
        try onMainThread {
            try requireDisplay()
            let provider = gtk_css_provider_new()
            let rules = "window gridview { padding: 30px; } window gridview > child { padding: 9px; margin: 5px; }"
            gtk_css_provider_load_from_data(provider, rules, -1)
            let display = gdk_display_get_default()
            gtk_style_context_add_provider_for_display(
                display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
            defer { gtk_style_context_remove_provider_for_display(display, OpaquePointer(provider)) }
            try onGrid { stage in
                stage.browser.showGrid()
                iterate(
                    until: {
                        cells(stage).first?.picture.area(in: stage.browser.widget).map { abs($0.y - 49) < 2 } ?? false
                    },
                    "the first row is below the bar")
                for (column, cell) in cells(stage).prefix(5).enumerated() {
                    let place = try XCTUnwrap(cell.picture.area(in: stage.browser.widget))
                    XCTAssertEqual(place.x, Double(column) * 160 + 1, accuracy: 2)
                    XCTAssertEqual(place.y, 49, accuracy: 2)
                }
            }
        }
    }

    /// MW-45 The columns follow from the size of the view.
    func testColumns() {
        XCTAssertEqual(GridColumns(width: 400, height: 800).count, 3)
        XCTAssertEqual(GridColumns(width: 500, height: 300).count, 4)
        XCTAssertEqual(GridColumns(width: 700, height: 400).count, 5)
        XCTAssertEqual(GridColumns(width: 768, height: 1024).count, 6)
        XCTAssertEqual(GridColumns(width: 1600, height: 900).count, 8)
        XCTAssertEqual(GridColumns(width: 0, height: 0).side, 1)
        XCTAssertEqual(GridColumns(width: 900, height: 1600).side, 148)
    }

    /// MW-45 The grid scrolls so that the current photo is visible, and remembers where it was.
    func testScroll() throws {
        try onGrid(400) {
            $0.browser.setCurrentPhotoIndex(300)
        } test: { stage in
            stage.browser.showGrid()
            iterate(until: { cells(stage).contains { $0.index == 300 } }, "the current cell is on the screen")
            let adjustment = try adjustment(stage)
            let value = gtk_adjustment_get_value(adjustment)
            stage.browser.hideGrid()
            stage.browser.showGrid()
            iterate(until: { cells(stage).contains { $0.index == 300 } }, "the current cell is still on the screen")
            iterate(until: { gtk_adjustment_get_value(adjustment) == value }, "the grid is where it was")
        }
    }

    /// MW-45 Thumbnails with addresses are loaded when they are near, and cancelled when they are not.
    func testLoads() throws {
        try onGrid(4000) { stage in
            stage.browser.handoffStrategy = .thumbnail
            for index in 0..<4000 {
                stage.app.thumbnails[index] = BrowserStage.photo(10_000 + index, stage.manager)
            }
        } test: { stage in
            stage.browser.showGrid()
            iterate(until: { !stage.pending(10_002).isEmpty }, "the first thumbnails are being loaded")
            let adjustment = try adjustment(stage)
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
            iterate(until: { stage.pending(10_002).isEmpty }, "the loads of the first row are cancelled")
            XCTAssertLessThan(stage.loader.loads.count, 600)
        }
    }

    /// S2-3 The originals of what is visible are loaded while the grid is open; a click opens the original then, with no
    /// thumbnail before it.
    func testOriginalsArePrefetched() throws {
        try onGrid(400) { stage in
            stage.browser.showGrid()
            iterate(
                until: {
                    for index in 0..<7 { stage.finish(index) }
                    return !stage.pending(7).isEmpty
                }, "an original is prefetched")
            XCTAssertTrue(stage.app.asked.contains(7))
            XCTAssertFalse(stage.app.asked.contains(399))
            stage.finish(7, .green)
            iterate(
                until: {
                    let request = stage.browser.originalPhoto(at: 7)?.request(covering: stage.browser.pages.deck.pixels)
                    guard let request, let url = request.url else { return false }
                    return stage.manager.imageFromMemory(for: url, context: request.context) != nil
                }, "the original is in memory")
            stage.browser.open(7)
            XCTAssertNil(stage.page?.helper)
            XCTAssertTrue(stage.page?.hasPicture == true)
        }
    }

    /// S2-2 S2-3 Without that strategy, no original is prefetched.
    func testNoPrefetching() throws {
        try onGrid {
            $0.browser.handoffStrategy = .thumbnail
        } test: { stage in
            stage.browser.showGrid()
            iterate(until: { cells(stage).count >= 8 }, "the cells are on the screen")
            drawFrames(2, of: stage.window)
            // The app would be asked for all that are visible at once, before the first load begins.
            XCTAssertFalse(stage.app.asked.contains(7))
        }
    }

    /// The data source is asked once for an original that there is not, however much the grid is scrolled.
    func testNothingToPrefetch() throws {
        try onGrid(400) {
            $0.app.failing = Set(0..<400)
        } test: { stage in
            stage.browser.showGrid()
            iterate(until: { Set(0..<8).isSubset(of: stage.app.asked) }, "the originals were asked for")
            let adjustment = try adjustment(stage)
            iterate(until: { gtk_adjustment_get_upper(adjustment) > 1000 }, "the grid is laid out")
            _ = stage.app.takeAsked()
            for value in 1...20 { gtk_adjustment_set_value(adjustment, Double(value)) }
            let asked = stage.app.takeAsked()
            XCTAssertEqual(asked.count, Set(asked).count, "\(asked)")
            XCTAssertFalse(asked.contains(7))
            gtk_adjustment_set_value(adjustment, 0)
            stage.browser.hideGrid()
            stage.browser.reloadData()
            stage.browser.showGrid()
            iterate(until: { stage.app.asked.contains(7) }, "it is asked for again")
        }
    }

    /// S2-3 Once the grid is scrolled, the originals of what comes next are loaded, too; before that only those of what is
    /// visible are.
    func testOriginalsNearby() throws {
        try onGrid(400) { stage in
            stage.browser.showGrid()
            let adjustment = try adjustment(stage)
            iterate(until: { stage.app.asked.contains(7) && cells(stage).count >= 8 }, "the visible ones are asked for")
            let visible = try XCTUnwrap(stage.app.asked.max()) + 1
            XCTAssertLessThan(visible, 40)
            gtk_adjustment_set_value(adjustment, 400)
            let asked = stage.app.asked
            let last = try XCTUnwrap(asked.max())
            XCTAssertGreaterThanOrEqual(last, 2 * visible)
            XCTAssertLessThan(last, 5 * visible)
            let near = asked.filter { $0 >= 2 * visible }
            XCTAssertEqual(near, near.sorted(), "the nearest one comes first")
        }
    }

    /// A visible grid keeps its place when it is loaded again, and shows the new thumbnails; GTK has no complaint.
    func testReloadWhileScrolled() throws {
        try onGrid(400) { stage in
            stage.browser.showGrid()
            let adjustment = try adjustment(stage)
            iterate(until: { gtk_adjustment_get_upper(adjustment) > 4000 }, "the grid is laid out")
            // It scrolls to the current photo in the first ones.
            drawFrames(4, of: stage.window)
            gtk_adjustment_set_value(adjustment, 2000)
            iterate(until: { (cells(stage).first?.index ?? 0) > 12 }, "the grid is scrolled")
            for (count, name) in [(400, "as many"), (420, "more"), (300, "fewer")] {
                let image = try Colour.red.image()
                for index in 0..<count { stage.app.thumbnails[index] = Photo(image: image) }
                stage.app.photos = (0..<count).map { BrowserStage.photo($0, stage.manager) }
                stage.browser.reloadData()
                XCTAssertTrue(cells(stage).allSatisfy { $0.view.image === image }, name)
                drawFrames(3, of: stage.window)
                XCTAssertEqual(gtk_adjustment_get_value(adjustment), 2000, name)
                XCTAssertTrue(cells(stage).allSatisfy { $0.index < count && $0.view.image === image }, name)
            }
            stage.app.photos = []
            stage.browser.reloadData()
            drawFrames(3, of: stage.window)
            XCTAssertTrue(cells(stage).isEmpty)
        }
    }

    /// MW-45 The grid comes from below the pages, and one that comes first is above them.
    func testDirection() throws {
        for (startsOnGrid, show, hide) in [
            (false, GTK_STACK_TRANSITION_TYPE_SLIDE_UP, GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN),
            (true, GTK_STACK_TRANSITION_TYPE_SLIDE_DOWN, GTK_STACK_TRANSITION_TYPE_SLIDE_UP),
        ] {
            try onGrid {
                $0.browser.startOnGrid = startsOnGrid
            } test: { stage in
                let holder = OpaquePointer(stage.browser.panels.gridHolder)
                stage.browser.hideGrid()
                if startsOnGrid { XCTAssertEqual(gtk_stack_get_transition_type(holder), hide) }
                stage.browser.showGrid()
                XCTAssertEqual(gtk_stack_get_transition_type(holder), show)
                stage.browser.hideGrid()
                XCTAssertEqual(gtk_stack_get_transition_type(holder), hide)
            }
        }
    }

    /// MW-45 A video has its sign in a corner of its cell, 10 points from its sides; others have none.
    func testVideoSign() throws {
        try onGrid {
            $0.app.thumbnails[1] = Photo(.video(url: { nil }, poster: nil))
        } test: { stage in
            stage.browser.showGrid()
            let side = GridColumns(width: 800, height: 600).side
            iterate(
                until: {
                    guard let cell = cells(stage).first(where: { $0.index == 1 }) else { return false }
                    guard let area = cell.sign.area(in: cell.widget) else { return false }
                    return area.x + area.size.width == Double(side - 10)
                        && area.y + area.size.height == Double(side - 10)
                }, "the sign is in its corner")
            XCTAssertTrue(cells(stage).allSatisfy { ($0.index == 1) == (gtk_widget_get_visible($0.sign) != 0) })
        }
    }

    /// MW-43 MW-13 A tick in the grid toggles the delegate's selection, and shows it with the app's icon.
    func testSelection() throws {
        try onGrid {
            $0.browser.displaySelectionButtons = true
            $0.browser.startOnGrid = true
            $0.browser.customImageSelectedSmallIconName = "starred-symbolic"
        } test: { stage in
            iterate(until: { cells(stage).count >= 8 }, "the cells are on the screen")
            _ = stage.app.takeEvents()
            XCTAssertEqual(tickIcon(stage, 2), "radio-symbolic")
            press(try XCTUnwrap(tick(stage, 2)))
            XCTAssertEqual(stage.app.takeEvents(), ["select 2 true"])
            XCTAssertEqual(tickIcon(stage, 2), "starred-symbolic")
            XCTAssertEqual(tickIcon(stage, 1), "radio-symbolic")
            for name in ["emblem-favorite-symbolic", nil] {
                stage.browser.customImageSelectedSmallIconName = name
                iterate(
                    until: { tickIcon(stage, 2) == name ?? "object-select-symbolic" }, "the icon \(name ?? "of GTK")")
            }
        }
    }

    @MainActor
    private func tick(_ stage: BrowserStage, _ index: Int) -> UnsafeMutablePointer<GtkWidget>? {
        cells(stage).first { $0.index == index }?.widget.children.last
    }

    @MainActor
    private func tickIcon(_ stage: BrowserStage, _ index: Int) -> String? {
        tick(stage, index).flatMap { gtk_button_get_icon_name($0.of(GtkButton.self)) }.map { String(cString: $0) }
    }
}
