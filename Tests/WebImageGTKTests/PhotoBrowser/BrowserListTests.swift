import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// A browser that follows a list of the app's own.
final class BrowserListTests: GTKTestCase, @unchecked Sendable {
    /// S2-3 The originals of what is visible are loaded, first and after each movement, and those of what is far away are
    /// cancelled.
    func testOriginalsOfWhatAListShows() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, list) = (BrowserStage(400), followedList(.list))
            stage.browser.prefetchOriginals(in: list.widget)
            show(list, in: stage)
            defer { stage.close() }
            awaitLoad(in: stage)
            let first = try XCTUnwrap(stage.pending(0).first)
            XCTAssertEqual(seen(list).count, 6)
            XCTAssertEqual(Set(stage.app.asked), seen(list), "no others before the first scroll")
            gtk_adjustment_set_value(try adjustment(of: list), 20_000)
            iterate(until: { (seen(list).min() ?? 0) > 150 }, "the movement")
            awaitLoads(of: seen(list), in: stage)
            iterate(until: { first.isEnded }, "what is far away is cancelled")
            stage.browser.prefetchOriginals(in: nil)
            iterate(until: { stage.loader.loads.allSatisfy(\.isEnded) }, "the end of all loads")
            gtk_adjustment_set_value(try adjustment(of: list), 0)
            iterate(until: { seen(list).contains(0) }, "the movement back")
            drawFrames(3, of: list.widget)
            XCTAssertTrue(stage.pending(0).isEmpty, "it is not followed any more")
        }
    }

    /// In a grid; from the scroller around it; in a window already.
    func testAGridThatIsOnTheScreen() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, grid) = (BrowserStage(400), followedList(.grid))
            gtk_grid_view_set_min_columns(OpaquePointer(grid.widget), 4)
            gtk_grid_view_set_max_columns(OpaquePointer(grid.widget), 4)
            let scroller = show(grid, in: stage)
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(grid.widget) != 0 && grid.binds > 0 }, "the grid")
            stage.browser.prefetchOriginals(in: scroller)
            iterate(until: { seen(grid).count >= 20 }, "the cells")
            awaitLoads(of: seen(grid), in: stage)
            stage.browser.prefetchOriginals(in: grid.widget)
            gtk_adjustment_set_value(try adjustment(of: grid), 1000)
            iterate(until: { (seen(grid).min() ?? 0) >= 32 }, "the movement")
            awaitLoads(of: seen(grid), in: stage)
        }
    }

    /// Rows and children that are no cells of a recycling list.
    func testBoxes() throws {
        try onMainThread {
            try requireDisplay()
            for isFlow in [false, true] {
                let stage = BrowserStage(20)
                let list: UnsafeMutablePointer<GtkWidget> = isFlow ? gtk_flow_box_new() : gtk_list_box_new()
                for _ in 0..<20 {
                    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                    gtk_widget_set_size_request(picture, 700, 200)
                    isFlow
                        ? gtk_flow_box_insert(OpaquePointer(list), picture, -1)
                        : gtk_list_box_append(OpaquePointer(list), picture)
                }
                let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
                gtk_scrolled_window_set_child(cast(scroller), list)
                stage.browser.prefetchOriginals(in: list)
                stage.show(scroller)
                awaitLoads(of: 0..<2, in: stage)
                gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(cast(scroller)), 2000)
                awaitLoads(of: 10..<12, in: stage)
                stage.close()
            }
        }
    }

    /// A list that fits into its scroller moves nothing when its model is filled.
    func testRowsThatComeAfterTheirList() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, list) = (BrowserStage(20), followedList(.list, count: 0))
            stage.browser.prefetchOriginals(in: list.widget)
            show(list, in: stage)
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(list.widget) != 0 }, "the list")
            drawFrames(3, of: list.widget)
            list.append(3)
            awaitLoads(of: 0..<3, in: stage)
            list.append(1)
            awaitLoads(of: 0..<4, in: stage)
            XCTAssertEqual(seen(list), [0, 1, 2, 3])
        }
    }

    /// After a reload, other photos are behind the same numbers.
    func testAReload() throws {
        try onMainThread {
            try requireDisplay()
            let (stage, list) = (BrowserStage(400), followedList(.list))
            stage.browser.prefetchOriginals(in: list.widget)
            show(list, in: stage)
            defer { stage.close() }
            awaitLoad(in: stage)
            let former = try XCTUnwrap(stage.pending(0).first)
            stage.app.photos = Array(stage.app.photos[300...])
            stage.browser.reloadData()
            awaitLoads(of: 300..<302, in: stage)
            iterate(until: { former.isEnded }, "the former one is cancelled")
        }
    }

    /// Neither keeps the other.
    func testTheListIsNotKept() throws {
        try onMainThread {
            try requireDisplay()
            let (live, stage) = (LiveObjects(), BrowserStage(20))
            do {
                let list = followedList(.list)
                live.watch(list.widget.address)
                stage.browser.prefetchOriginals(in: list.widget)
                show(list, in: stage)
                awaitLoads(of: 0..<2, in: stage)
            }
            stage.close()
            XCTAssertEqual(live.count, 0)
            stage.browser.reloadData()
        }
    }

    /// A cell that was bound by other means says nothing of its item, which one warning explains.
    func testAListWithoutPositions() throws {
        try onMainThread {
            try requireDisplay()
            let warnings = Recorder<String>()
            WebImageLog.setHandler { warnings.append($0) }
            defer { WebImageLog.setHandler(nil) }
            let stage = BrowserStage(20)
            let list = ItemList(.list, count: 20, itemSize: 100) { item, _ in
                if gtk_list_item_get_child(item) == nil { gtk_list_item_set_child(item, gtk_picture_new()) }
            }
            stage.browser.prefetchOriginals(in: list.widget)
            show(list, in: stage)
            defer { stage.close() }
            iterate(until: { !warnings.values.isEmpty }, "the warning")
            stage.browser.reloadData()
            drawFrames(3, of: list.widget)
            XCTAssertEqual(warnings.values.count, 1)
            XCTAssertTrue(warnings.values[0].contains("ListRowView(listItem:)"))
            XCTAssertTrue(stage.pending(0).isEmpty)
        }
    }

    /// Items of 100 points, whose cells say which item they show.
    @MainActor
    private func followedList(_ kind: ItemList.Kind, count: Int = 400) -> ItemList {
        ItemList(kind, count: count, itemSize: 100) { item, _ in _ = ListRowView(listItem: item) }
    }

    @discardableResult
    @MainActor
    private func show(_ list: ItemList, in stage: BrowserStage) -> UnsafeMutablePointer<GtkWidget> {
        let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(cast(scroller), list.widget)
        gtk_widget_add_css_class(list.widget, "plain")
        stage.show(scroller)
        return scroller
    }

    @MainActor
    private func adjustment(of list: ItemList) throws -> UnsafeMutablePointer<GtkAdjustment> {
        try XCTUnwrap(gtk_scrollable_get_vadjustment(OpaquePointer(list.widget)))
    }

    /// The items whose cells lie within the list, by what was bound.
    @MainActor
    private func seen(_ list: ItemList) -> Set<Int> {
        let height = list.widget.pointSize.height
        let seen = list.bound.filter { widget, _ in
            guard gtk_widget_get_mapped(widget) != 0, let area = widget.area(in: list.widget) else { return false }
            return area.y < height && area.y + area.size.height > 0
        }
        return Set(seen.values)
    }

    /// All of these, whatever comes besides.
    @MainActor
    private func awaitLoads(of indices: some Collection<Int>, in stage: BrowserStage) {
        for index in indices {
            iterate(
                until: {
                    // Few are loaded at a time.
                    if stage.pending(index).isEmpty { indices.forEach { stage.finish($0) } }
                    return !stage.loader.loads(of: BrowserStage.url(index)).isEmpty
                }, "photo \(index) is being loaded")
        }
    }
}
