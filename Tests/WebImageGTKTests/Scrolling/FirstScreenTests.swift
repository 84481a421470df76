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
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, Self.seen)
                XCTAssertEqual(Set(stage.loader.loads.map(\.priority)), [.high])
                stage.finishAll()
                iterate(until: { stage.asked.count >= 30 }, "two screens ahead")
                stage.finishAll()
                drawFrames(3, of: stage.window)
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
                drawFrames(3, of: stage.window)
                let count = stage.seenItems.count
                XCTAssertEqual(stage.asked, (0..<count).map { "\($0)" })
                stage.finishAll()
                iterate(until: { stage.asked.count >= 3 * count }, "two screens ahead")
                stage.finishAll()
                drawFrames(3, of: stage.window)
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
            // As the downloader reports before the first byte.
            for load in stage.loader.loads { load.progress(0, of: nil) }
            stage.scroll(to: 100 * LongList.itemSize)
            iterate(until: { stage.asked.count == 20 }, "the screen after the jump")
            let seen = stage.seenItems
            XCTAssertTrue(seen.count >= 10 && seen[0] > 80, "\(seen)")
            XCTAssertEqual(stage.asked.suffix(seen.count), seen.map(String.init)[...])
            XCTAssertTrue(stage.loader.loads.prefix(10).allSatisfy(\.isCancelled), "nothing of them had come")
            // One screen behind and two ahead, the nearest first.
            stage.finishAll()
            iterate(until: { stage.asked.count >= 50 }, "the window")
            drawFrames(3, of: stage.window)
            let (first, count) = (seen[0], seen.count)
            let near = (1...count).flatMap { [first + count - 1 + $0, first - $0] }
            XCTAssertEqual(
                stage.asked.dropFirst(20).map { Int($0) ?? 0 }, near + (first + 2 * count..<first + 3 * count))
        }
    }

    /// S0-3: most bytes that have come are not thrown away.
    func testATransferThatIsHalfDoneGoesOnWhenItsViewIsFarAway() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.loader.loads[2].progress(49, of: 100)
            stage.loader.loads[3].progress(50, of: 100)
            stage.loader.loads[4].progress(1, of: nil)
            stage.scroll(to: 40 * LongList.itemSize)
            iterate(until: { stage.asked.count == 20 }, "the screen after the jump")
            XCTAssertEqual(
                stage.loader.loads.prefix(10).filter { !$0.isCancelled }.map(\.request.url.lastPathComponent),
                ["3", "4"])
            XCTAssertEqual(stage.loader.loads[3].priority, .low)
            // A load that was taken back begins again when its view is seen again.
            stage.scroll(to: 0)
            iterate(until: { stage.asked.count >= 28 }, "the first screen again")
            XCTAssertEqual(stage.asked[20..<28].map { $0 }, Self.seen.filter { $0 != "3" && $0 != "4" })
            XCTAssertEqual(stage.loader.loads[3].priority, .high)
        }
    }

    /// S0-3: a picture that does not come keeps the others back for a moment only.
    func testNearPicturesDoNotWaitForeverForASeenOne() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            stage.loads?.patience = .zero
            iterate(until: { stage.asked.count >= 30 }, "the window")
            XCTAssertEqual(stage.asked.prefix(10), Self.seen[...])
        }
    }

    /// S0-3: a load that does not end with the picture from memory keeps the order, too.
    func testPicturesInMemoryThatAreLoadedAllTheSameKeepTheOrder() throws {
        try onMainThread {
            for options in [.refreshCached, .fromLoaderOnly] as [WebImageOptions] {
                try requireDisplay()
                let url = { (number: Int) in TestStage().url("\(number)") }
                let first = LongList(.list, url: url)
                first.loads?.patience = .zero
                PictureList(first.list.widget).loadWindow = .everything
                iterate(until: { first.asked.count == first.list.bound.count }, "all that is bound")
                first.finishAll()
                iterate(until: { first.shownCount == first.list.bound.count }, "the pictures")
                let before = first.asked.count
                let again = LongList(
                    .list, manager: first.manager, url: url,
                    bind: { stage, item, position in
                        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                        gtk_list_item_set_child(item, picture)
                        PictureView(picture).setImage(with: url(position), options: options, context: stage.context)
                    })
                defer { again.close() }
                first.close()
                iterate(until: { first.asked.count - before >= 10 }, "the first screen")
                if options == .refreshCached { XCTAssertEqual(again.shown, Array(0..<10), "from memory") }
                drawFrames(3, of: again.window)
                XCTAssertEqual(Array(first.asked[before...]), Self.seen, "\(options)")
                first.finishAll()
                iterate(until: { first.asked.count - before >= 30 }, "two screens ahead")
                drawFrames(3, of: again.window)
                XCTAssertEqual(Array(first.asked[before...]), (0..<30).map { "\($0)" }, "\(options)")
            }
        }
    }

    /// S0-3: the picture of a line that is the highest begins no earlier for that.
    func testALineOfPicturesOfDifferentHeightsIsLoadedInReadingOrder() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(
                .grid, itemSizes: { [30, 70, 20, 50][$0 % 4] },
                bind: { stage, item, position in
                    stage.show(position, in: item)
                    if let child = gtk_list_item_get_child(item) { gtk_widget_set_valign(child, GTK_ALIGN_CENTER) }
                })
            defer { stage.close() }
            iterate(until: { stage.asked.count >= 6 }, "the first screen")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, (0..<stage.asked.count).map { "\($0)" })
        }
    }

    /// S0-3: apps choose the window.
    func testTheAppSetsTheWindow() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list)
            defer { stage.close() }
            // The list's own window takes precedence over that of the scroller around it.
            if let scroller = stage.list.widget.scroller { PictureList(scroller).loadWindow = .everything }
            PictureList(stage.list.widget).loadWindow = LoadWindow(behind: 0, ahead: 0.5)
            XCTAssertEqual(PictureList(stage.list.widget).loadWindow, LoadWindow(behind: 0, ahead: 0.5))
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.finishAll()
            iterate(until: { stage.asked.count >= 15 }, "half a screen")
            stage.finishAll()
            drawFrames(3, of: stage.window)
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
            let stage = LongList(
                .list,
                place: {
                    gtk_stack_add_named(OpaquePointer(stack), $0, "list")
                    return stack
                })
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(stack) != 0 }, "the window")
            drawFrames(3, of: stage.window)
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
}
