import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The order in which the pictures of a list are loaded, and how many.
final class FirstScreenTests: GTKTestCase, @unchecked Sendable {
    private static let seen = (0..<10).map { "\($0)" }

    /// S0-3: what is seen comes first, in reading order; then two screens ahead; all others wait.
    func testAListLoadsWhatIsSeenFromTopToBottomAndThenTwoScreensAhead() throws {
        try onMainThread {
            for isBoundFirst in [true, false] {
                try requireDisplay()
                let stage = LongList(.list, isBoundFirst: isBoundFirst)
                defer { stage.close() }
                XCTAssertGreaterThan(stage.list.bound.count, 100, "GTK binds far more than it shows")
                iterate(until: { stage.asked.count >= 10 }, "the first screen")
                for _ in 0..<3 { drawFrames(stage) }
                XCTAssertEqual(stage.asked, Self.seen)
                XCTAssertEqual(Set(stage.loader.loads.map(\.priority)), [.high])
                stage.finishAll()
                iterate(until: { stage.asked.count >= 30 }, "two screens ahead")
                stage.finishAll()
                for _ in 0..<3 { drawFrames(stage) }
                XCTAssertEqual(stage.asked, (0..<30).map { "\($0)" })
                XCTAssertEqual(Set(stage.loader.loads.dropFirst(10).map(\.priority)), [.low])
            }
        }
    }

    /// S0-3
    func testAGridLoadsWhatIsSeenInReadingOrder() throws {
        try onMainThread {
            for direction in [GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL] {
                try requireDisplay()
                gtk_widget_set_default_direction(direction)
                defer { gtk_widget_set_default_direction(GTK_TEXT_DIR_LTR) }
                let stage = LongList(.grid)
                defer { stage.close() }
                iterate(until: { stage.asked.count >= 12 }, "the first screen")
                for _ in 0..<3 { drawFrames(stage) }
                let count = stage.seenItems.count
                XCTAssertEqual(stage.asked, (0..<count).map { "\($0)" })
                stage.finishAll()
                iterate(until: { stage.asked.count >= 3 * count }, "two screens ahead")
                stage.finishAll()
                for _ in 0..<3 { drawFrames(stage) }
                XCTAssertEqual(stage.asked, (0..<3 * count).map { "\($0)" })
            }
        }
    }

    /// S0-3: after a jump, what is seen then comes before all that was asked for earlier.
    func testAfterAJumpWhatIsSeenComesFirst() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.scroll(to: 100 * LongList.itemSize)
            iterate(until: { stage.asked.count == 20 }, "the screen after the jump")
            let seen = stage.seenItems
            XCTAssertTrue(seen.count >= 10 && seen[0] > 80, "\(seen)")
            XCTAssertEqual(stage.asked.suffix(seen.count), seen.map(String.init)[...])
            XCTAssertTrue(stage.loader.loads.prefix(10).allSatisfy(\.isCancelled), "nothing of them had come")
            // One screen behind and two ahead, the nearest first.
            stage.finishAll()
            iterate(until: { stage.asked.count >= 50 }, "the window")
            for _ in 0..<3 { drawFrames(stage) }
            let (first, count) = (seen[0], seen.count)
            XCTAssertEqual(
                stage.asked.dropFirst(20).map { Int($0) ?? 0 }.sorted(),
                Array(first - count..<first) + Array(first + count..<first + 3 * count))
            XCTAssertEqual(Set(stage.asked[20..<22]), ["\(first - 1)", "\(first + count)"])
        }
    }

    /// S0-3: bytes that have come are not thrown away.
    func testATransferThatHasBegunGoesOnWhenItsViewIsFarAway() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.loader.loads[3].progress(10, of: 100)
            stage.scroll(to: 40 * LongList.itemSize)
            iterate(until: { stage.asked.count == 20 }, "the screen after the jump")
            XCTAssertEqual(
                stage.loader.loads.prefix(10).filter { !$0.isCancelled }.map(\.request.url.lastPathComponent), ["3"])
            XCTAssertEqual(stage.loader.loads[3].priority, .low)
            // A load that was taken back begins again when its view is seen again.
            stage.scroll(to: 0)
            iterate(until: { stage.asked.count >= 29 }, "the first screen again")
            XCTAssertEqual(stage.asked[20..<29].map { $0 }, Self.seen.filter { $0 != "3" })
            XCTAssertEqual(stage.loader.loads[3].priority, .high)
        }
    }

    /// S0-3: a picture that does not come keeps the others back for a moment only.
    func testNearPicturesDoNotWaitForeverForASeenOne() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            WindowLoads.around(stage.list.widget)?.patience = .zero
            iterate(until: { stage.asked.count >= 30 }, "the window")
            XCTAssertEqual(stage.asked.prefix(10), Self.seen[...])
        }
    }

    /// S0-3: apps choose the window.
    func testTheAppSetsTheWindow() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            PictureList(stage.list.widget).loadWindow = LoadWindow(behind: 0, ahead: 0.5)
            XCTAssertEqual(PictureList(stage.list.widget).loadWindow, LoadWindow(behind: 0, ahead: 0.5))
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.finishAll()
            iterate(until: { stage.asked.count >= 15 }, "half a screen")
            stage.finishAll()
            for _ in 0..<3 { drawFrames(stage) }
            XCTAssertEqual(stage.asked, (0..<15).map { "\($0)" })
            PictureList(stage.list.widget).loadWindow = .everything
            iterate(until: { stage.asked.count == stage.list.bound.count }, "all that is bound")
        }
    }

    /// S0-3: a list in a hidden page loads nothing; its first screen is loaded when the page is shown.
    func testAListInAHiddenPageWaits() throws {
        try onMainThread {
            try requireDisplay()
            let stack: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
            gtk_stack_add_named(OpaquePointer(stack), gtk_label_new("first"), "first")
            let stage = LongList(.list, page: stack)
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(stack) != 0 }, "the window")
            for _ in 0..<3 { drawFrames(stage) }
            XCTAssertEqual(stage.asked, [])
            gtk_stack_set_visible_child_name(OpaquePointer(stack), "list")
            iterate(until: { stage.asked.count >= 10 }, "the first screen")
            XCTAssertEqual(stage.asked, Self.seen)
        }
    }

    /// S0-3: a picture in memory appears in the frame in which its cell does.
    func testPicturesInMemoryAppearInTheFirstFrame() throws {
        try onMainThread {
            try requireDisplay()
            let first = LongList(.list)
            iterate(until: { first.asked.count == 10 }, "the first screen")
            first.finishAll()
            iterate(until: { first.shownCount == 10 }, "the pictures")
            let second = LongList(.list, manager: first.manager)
            defer { second.close() }
            first.close()
            iterate(until: { second.seenItems.count == 10 }, "the first layout")
            XCTAssertEqual(second.shown, Array(0..<10))
            XCTAssertEqual(first.asked.filter { Self.seen.contains($0) }.count, 10, "none was loaded again")
        }
    }

    /// S0-3: what stands in a scroller without a list is loaded where it is seen, and around that.
    func testABoxInAScrollerLoadsWhatIsSeenFirst() throws {
        try onMainThread {
            try requireDisplay()
            let stage = ListStage(pictures: 60, size: 50)
            defer { stage.close() }
            stage.loadWindow = LoadWindow(ahead: 1)
            for index in (0..<60).reversed() { stage.bind(index, to: "\(index)") }
            stage.present(in: self)
            iterate(until: { stage.asked.count >= 8 }, "the window")
            let count = stage.asked.count
            XCTAssertEqual(stage.asked, (0..<count).map { "\($0)" })
            XCTAssertLessThan(count, 15)
        }
    }

    @MainActor
    private func drawFrames(_ stage: LongList) {
        let frame = stage.frame
        iterate(
            until: {
                stage.queueDraw()
                return stage.frame > frame
            }, "a frame")
    }
}

/// A list or grid of 500 pictures in a window, of which ten rows are seen.
@MainActor
private final class LongList {
    static let itemSize = 50
    let loader = SuspendedLoader()
    let manager: WebImageManager
    private(set) var list: ItemList!
    private let window: UnsafeMutablePointer<GtkWidget> = gtk_window_new()
    private let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()

    /// - Parameters:
    ///   - isBoundFirst: Whether the list has its model before it is in a window.
    ///   - page: A stack in which the list is a hidden page.
    init(
        _ kind: ItemList.Kind, isBoundFirst: Bool = false, page: UnsafeMutablePointer<GtkWidget>? = nil,
        manager: WebImageManager? = nil
    ) {
        self.manager =
            manager ?? WebImageManager(cache: SuspendedCache(), loader: loader, coder: PosterCoder())
        gtk_window_set_default_size(window.of(GtkWindow.self), 300, 500)
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL)
        if !isBoundFirst { place(in: page) }
        list = ItemList(kind, count: 500, itemSize: Int32(Self.itemSize)) { [weak self] item, position in
            self?.bind(item, position)
        }
        gtk_widget_add_css_class(list.widget, "plain")
        gtk_scrolled_window_set_child(OpaquePointer(scroller), list.widget)
        if isBoundFirst { place(in: page) }
        gtk_window_present(window.of(GtkWindow.self))
    }

    private func place(in page: UnsafeMutablePointer<GtkWidget>?) {
        if let page { gtk_stack_add_named(OpaquePointer(page), scroller, "list") }
        gtk_window_set_child(window.of(GtkWindow.self), page ?? scroller)
    }

    private func bind(_ item: OpaquePointer, _ position: Int) {
        if gtk_list_item_get_child(item) == nil { gtk_list_item_set_child(item, gtk_picture_new()) }
        guard let picture = gtk_list_item_get_child(item) else { return }
        var context = WebImageContext()
        context.imageManager = manager
        PictureView(picture).setImage(with: URL(filePath: "/pictures/\(position)"), context: context)
    }

    func close() { gtk_window_destroy(window.of(GtkWindow.self)) }

    var asked: [String] { loader.loads.map(\.request.url.lastPathComponent) }

    func finishAll() {
        for load in loader.loads where !load.isEnded && !load.isCancelled { load.finish(Colour.red.file) }
    }

    /// The items whose widgets are mapped within the visible part.
    var seenItems: [Int] {
        list.bound.filter { widget, _ in
            var bounds = graphene_rect_t()
            guard gtk_widget_get_mapped(widget) != 0, gtk_widget_compute_bounds(widget, scroller, &bounds) != 0 else {
                return false
            }
            return bounds.origin.y + bounds.size.height > 0
                && bounds.origin.y < Float(gtk_widget_get_height(scroller)) && gtk_widget_get_height(scroller) > 0
        }.values.sorted()
    }

    var shown: [Int] { list.bound.filter { PictureView($0.key).image != nil }.values.sorted() }

    var shownCount: Int { list.bound.keys.count { PictureView($0).image != nil } }

    var frame: Int64 { gtk_widget_get_frame_clock(window).map { Int64(gdk_frame_clock_get_frame_counter($0)) } ?? 0 }

    func queueDraw() { gtk_widget_queue_draw(window) }

    func scroll(to position: Int) {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller)), Double(position))
    }
}
