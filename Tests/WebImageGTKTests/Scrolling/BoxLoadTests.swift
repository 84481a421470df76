import CGtk4
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The order of loads in boxes, whose widgets are all mapped, visible or not.
final class BoxLoadTests: GTKTestCase, @unchecked Sendable {
    /// The visible pictures in reading order, and then two screens of further ones.
    @MainActor
    private func checkFirstScreen(of stage: BoxStage, _ what: String) {
        let before = stage.asked.count
        iterate(until: { stage.asked.count > before }, "the first screen: \(what)")
        drawFrames(3, of: stage.window)
        let seen = stage.seen
        XCTAssertLessThan(seen.count, stage.pictures.count / 3, what)
        XCTAssertEqual(Array(stage.asked[before...]), seen, what)
        stage.finishAll()
        iterate(until: { stage.asked.count - before >= 2 * seen.count }, "what is near: \(what)")
        drawFrames(3, of: stage.window)
        let asked = stage.asked[before...]
        XCTAssertEqual(Array(asked), Array(0..<asked.count), what)
        XCTAssertLessThanOrEqual(asked.count, 3 * seen.count + 6, what)
    }

    /// S0-3
    func testEveryBoxLoadsWhatIsSeenInReadingOrderAndThenTwoScreens() throws {
        try onMainThread {
            for kind in BoxStage.Kind.allCases {
                try requireDisplay()
                let stage = BoxStage(kind, count: 200)
                defer { stage.close() }
                stage.show()
                stage.bindAll()
                checkFirstScreen(of: stage, "\(kind)")
            }
        }
    }

    /// S0-3: an app may fill its rows long before it shows its window.
    func testABoxThatIsFilledBeforeItsWindowIsShownLoadsItsFirstScreenFirst() throws {
        try onMainThread {
            for kind in BoxStage.Kind.allCases {
                try requireDisplay()
                let stage = BoxStage(kind, count: 200)
                defer { stage.close() }
                stage.bindAll()
                // Outside of a scroller, a load begins soon, whether its view is shown or not.
                let test = TestStage()
                let alone = Stage()
                defer { alone.close() }
                gtk_widget_set_size_request(alone.widgets[0], -1, -1)
                alone.view.imageSizing = .view
                alone.view.setImage(with: test.url("a"), context: test.context)
                iterate(until: { !test.loader.loads.isEmpty }, "the load without a scroller")
                XCTAssertEqual(stage.asked, [])
                stage.show()
                checkFirstScreen(of: stage, "\(kind)")
            }
        }
    }

    /// S0-3: neither before its first showing nor after the page was left.
    func testABoxInAHiddenPageWaits() throws {
        try onMainThread {
            for kind in BoxStage.Kind.allCases {
                try requireDisplay()
                let stack: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
                let pages = OpaquePointer(stack)
                gtk_stack_add_named(pages, gtk_label_new("first"), "first")
                let stage = BoxStage(
                    kind, count: 200,
                    place: {
                        gtk_stack_add_named(pages, $0, "box")
                        return stack
                    })
                defer { stage.close() }
                stage.bindAll()
                stage.show()
                iterate(until: { gtk_widget_get_mapped(stack) != 0 }, "the window")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, [], "\(kind)")
                gtk_stack_set_visible_child_name(pages, "box")
                iterate(until: { !stage.asked.isEmpty }, "the first screen: \(kind)")
                drawFrames(3, of: stage.window)
                let count = stage.asked.count
                XCTAssertEqual(stage.asked, stage.seen, "\(kind)")
                gtk_stack_set_visible_child_name(pages, "first")
                iterate(until: { stage.loader.loads.allSatisfy(\.isCancelled) }, "the loads are taken back: \(kind)")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked.count, count, "\(kind)")
                gtk_stack_set_visible_child_name(pages, "box")
                checkFirstScreen(of: stage, "\(kind), again")
            }
        }
    }

    /// S0-3: as on another display.
    func testABoxThatIsRealizedAnewLoadsWhatIsSeen() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BoxStage(.listBox)
            defer { stage.close() }
            stage.show()
            iterate(until: { !stage.seen.isEmpty }, "the window")
            gtk_widget_set_visible(stage.window, 0)
            gtk_widget_unrealize(stage.window)
            stage.bindAll()
            drawNothing()
            XCTAssertEqual(stage.asked, [])
            gtk_widget_set_visible(stage.window, 1)
            checkFirstScreen(of: stage, "realized anew")
        }
    }

    /// S0-3: a picture that a page has released is had again when its view is seen or near.
    func testAPageThatReappearsRestoresWhatIsSeenFirst() throws {
        try onMainThread {
            try requireDisplay()
            let pages: UnsafeMutablePointer<GtkWidget> = gtk_stack_new()
            let stack = OpaquePointer(pages)
            let loader = QuickLoader()
            let stage = BoxStage(
                .listBox,
                place: {
                    gtk_stack_add_named(stack, $0, "box")
                    gtk_stack_add_named(stack, gtk_label_new("other"), "other")
                    return pages
                })
            defer { stage.close() }
            let released = release(stage, in: stack, by: loader)
            let asked = { loader.held.loads.compactMap { Int($0.request.url.lastPathComponent) } }

            gtk_stack_set_visible_child_name(stack, "box")
            iterate(until: { !asked().isEmpty }, "the first screen")
            drawFrames(3, of: stage.window)
            let seen = stage.seen
            XCTAssertEqual(asked(), seen.filter(released.contains))
            XCTAssertEqual(Set(loader.held.loads.map(\.priority)), [.high])
            XCTAssertTrue(seen.allSatisfy { Coordinator.of(stage.pictures[$0]).lane.isSeen })
            for load in loader.held.loads { load.finish(Colour.red.file) }
            iterate(until: { asked().count > 2 * seen.count }, "what is near")
            XCTAssertFalse(Coordinator.of(stage.pictures[seen.count + 1]).lane.isSeen)
            for load in loader.held.loads where !load.isEnded { load.finish(Colour.red.file) }
            drawFrames(5, of: stage.window)
            let near = asked()
            XCTAssertEqual(near, Array(0..<near.count))
            XCTAssertLessThanOrEqual(near.count, 3 * seen.count + 1, "the rest waits")
            // A load that was asked for and is far away now is taken back.
            stage.scroll(to: 2500)
            iterate(until: { asked().count > near.count }, "the screen after the jump")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(Array(asked()[near.count...]), stage.seen.filter(released.contains))
            let far = loader.held.loads[near.count...]
            stage.scroll(to: 0)
            iterate(until: { far.allSatisfy(\.isCancelled) }, "they are taken back")
        }
    }

    /// Loads all pictures, shows the other page, and empties the memory.
    ///
    /// - Returns: The pictures that are gone.
    @MainActor
    private func release(_ stage: BoxStage, in stack: OpaquePointer, by loader: QuickLoader) -> Set<Int> {
        PictureList(stage.scroller).loadWindow = .everything
        stage.loads.patience = .zero
        stage.show()
        stage.bindAll(by: loader)
        iterate(until: { stage.shown.count == 100 && !stage.manager.isRunning }, "all pictures")
        gtk_stack_set_visible_child_name(stack, "other")
        iterate(until: { stage.shown.count <= 24 }, "pictures are released")
        stage.cache.clear(.memory, completion: nil)
        let released = Set(stage.pictures.indices.filter { !stage.shown.contains($0) })
        iterate(
            until: { released.allSatisfy { PictureView(stage.pictures[$0]).image == nil } }, "the ends of the bitmaps")
        loader.hold()
        PictureList(stage.scroller).loadWindow = LoadWindow()
        stage.loads.patience = .seconds(3600)
        return released
    }

    /// S0-3: nothing slows a frame of scrolling, however many rows there are.
    func testALookAsksOnlyTheRowsThatMayHaveComeNear() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BoxStage(.listBox, count: 3000)
            defer { stage.close() }
            stage.bindAll()
            stage.show()
            iterate(until: { !stage.asked.isEmpty }, "the first screen")
            drawFrames(20, of: stage.window)
            let most = 150
            for position in stride(from: 50, to: 2000, by: 50) {
                stage.scroll(to: position)
                drawFrames(1, of: stage.window)
                XCTAssertLessThan(stage.loads.lookedAtCount, most)
            }
            drawFrames(2, of: stage.window)
            XCTAssertTrue(Set(stage.asked).isSuperset(of: stage.seen))
            let count = stage.asked.count
            stage.scroll(to: 100_000)
            iterate(until: { stage.asked.count > count }, "the screen after the jump")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(Set(stage.asked[count...]), Set(stage.seen))
            // Rows may move without a scroll, and come into sight.
            let moved = stage.asked.count
            let row = gtk_widget_get_parent(stage.pictures[2900])
            let list = gtk_widget_get_parent(row)
            g_object_ref(row)
            defer { g_object_unref(row) }
            gtk_list_box_remove(OpaquePointer(list), row)
            gtk_list_box_insert(OpaquePointer(list), row, gint((stage.seen.first ?? 0) + 1))
            iterate(until: { stage.asked[moved...].contains(2900) }, "the row that has moved")
        }
    }

    /// S0-3
    func testRowsThatComeIntoSightByALayoutAreFoundInTurn() throws {
        try onMainThread {
            try requireDisplay()
            let stage = BoxStage(.box, count: 1000)
            defer { stage.close() }
            stage.bindAll()
            stage.show()
            iterate(until: { !stage.asked.isEmpty }, "the first screen")
            drawFrames(10, of: stage.window)
            for picture in stage.pictures[0..<980] { gtk_widget_set_visible(picture, 0) }
            iterate(until: { stage.asked.contains(989) }, "the last rows")
            drawFrames(5, of: stage.window)
            XCTAssertEqual(Array(stage.asked.suffix(10)), Array(980..<990), "and none of those that are hidden")
        }
    }

    /// S0-3: a row of pictures that scrolls sideways, in a page that scrolls down.
    func testAShelfInAFeedLoadsWhatIsSeenOfBoth() throws {
        try onMainThread {
            try requireDisplay()
            let feed: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let outer: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
            gtk_scrolled_window_set_child(OpaquePointer(outer), feed)
            let test = TestStage()
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            gtk_window_set_default_size(window.of(GtkWindow.self), 200, 200)
            gtk_window_set_child(window.of(GtkWindow.self), outer)
            WindowLoads.around(outer)?.patience = .seconds(3600)
            for shelf in 0..<20 {
                let inner: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
                gtk_scrolled_window_set_policy(OpaquePointer(inner), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
                let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
                gtk_scrolled_window_set_child(OpaquePointer(inner), row)
                gtk_box_append(feed.of(GtkBox.self), inner)
                for column in 0..<20 {
                    let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                    gtk_widget_set_size_request(picture, 100, 100)
                    gtk_box_append(row.of(GtkBox.self), picture)
                    PictureView(picture).setImage(
                        with: test.url("\(shelf)-\(column)"), options: .lowPriority, context: test.context)
                }
            }
            gtk_window_present(window.of(GtkWindow.self))
            let asked = { test.loader.loads.map(\.request.url.lastPathComponent) }
            iterate(until: { asked().count >= 4 }, "the first screen")
            drawFrames(3, of: window)
            XCTAssertEqual(asked(), ["0-0", "0-1", "1-0", "1-1"])
            for load in test.loader.loads { load.finish(Colour.red.file) }
            iterate(until: { asked().count > 4 }, "what is near")
            drawFrames(3, of: window)
            let near = asked().dropFirst(4).map { $0.split(separator: "-").compactMap { Int($0) } }
            XCTAssertTrue(near.allSatisfy { $0[0] <= 6 && $0[1] <= 6 }, "\(near)")
        }
    }

    /// S0-3: views of one window never hold back those of another.
    func testASecondWindowLoadsWhatIsSeenInIt() throws {
        try onMainThread {
            try requireDisplay()
            let (first, second) = (BoxStage(.box), BoxStage(.box))
            defer { second.close() }
            for stage in [first, second] {
                stage.show()
                stage.bindAll()
                iterate(until: { !stage.asked.isEmpty }, "the first screen")
            }
            second.finishAll()
            iterate(until: { second.asked.count > second.seen.count }, "what is near")
            XCTAssertEqual(first.asked, first.seen)
            first.finishAll()
            iterate(until: { first.asked.count > first.seen.count }, "what is near in the first window")
            let running = first.loader.loads.filter { !$0.isEnded }
            first.close()
            XCTAssertTrue(running.allSatisfy(\.isCancelled), "a closed window loads nothing")
            XCTAssertFalse(first.manager.isRunning)
        }
    }

    /// Runs the main loop until everything that waits for it was done, without frames.
    @MainActor
    private func drawNothing() {
        var isIdle = false
        Task { isIdle = true }
        iterate(until: { isIdle }, "the main loop")
    }
}
