import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The order of loads in lists of unusual lengths, sizes and places.
final class UnusualListTests: GTKTestCase, @unchecked Sendable {
    private static let seen = (0..<10).map { "\($0)" }

    // MARK: Lengths and sizes

    func testAListOfOneRowLoadsIt() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, count: 1)
            defer { stage.close() }
            iterate(until: { stage.asked == ["0"] }, "the row")
            stage.finishAll()
            iterate(until: { stage.shown == [0] }, "the picture")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, ["0"])
            XCTAssertFalse(stage.manager.isRunning)
        }
    }

    func testAListOf100_000RowsLoadsWhatIsSeenAtBothEnds() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, count: 100_000)
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            XCTAssertEqual(stage.asked, Self.seen)
            XCTAssertLessThan(stage.list.bound.count, 500)
            jump(to: stage.end, in: stage)
            iterate(until: { stage.asked.contains("99999") }, "the last screen")
            let seen = stage.seenItems
            // In a flight, which such a jump is, the newest come first.
            XCTAssertEqual(stage.asked.dropFirst(10).compactMap { Int($0) }.sorted(), seen)
            XCTAssertTrue(seen.count <= 11 && seen.last == 99_999, "\(seen)")
            XCTAssertTrue(stage.loader.loads.prefix(10).allSatisfy(\.isCancelled))
        }
    }

    func testRowsOfDifferentHeightsAreLoadedFromTopToBottom() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, itemSizes: { [20, 110, 40, 75, 1][$0 % 5] })
            defer { stage.close() }
            iterate(until: { stage.asked.count > 5 }, "the first screen")
            drawFrames(3, of: stage.window)
            let seen = stage.seenItems
            XCTAssertEqual(stage.asked, seen.map(String.init))
            stage.finishAll()
            iterate(until: { stage.asked.count > seen.count }, "what is near")
            stage.finishAll()
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, (0..<3 * seen.count).map { "\($0)" })
            let before = stage.asked.count
            jump(to: stage.end / 2, in: stage)
            iterate(until: { stage.asked.count > before }, "the middle")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked[before...], stage.seenItems.map(String.init)[...])
        }
    }

    /// A picture that is to be as large as no screen is.
    func testRowsWhosePicturesHaveNoSensibleSizeAreLoaded() throws {
        try onMainThread {
            for side in [0, -48, .nan, 100_000] {
                try requireDisplay()
                let stage = LongList(
                    .list, count: 40, itemSizes: { _ in -1 },
                    bind: { stage, item, position in
                        guard let view = ListRowView(listItem: item) else { return XCTFail("no room") }
                        view.fixedSize = PointSize(width: 48, height: side)
                        stage.show(position, in: view)
                    })
                defer { stage.close() }
                iterate(until: { !stage.asked.isEmpty }, "the first row: \(side)")
                XCTAssertEqual(stage.asked[0], "0", "\(side)")
                iterate(
                    until: {
                        stage.finishAll()
                        return stage.shown.contains(0)
                    }, "its picture: \(side)")
            }
        }
    }

    /// S0-3: GTK shows very many rows that have no height; they keep none where GTK may shrink their pictures.
    func testRowsThatGetTheirHeightFromTheirPicturesLoadThreeScreensOfPictures() throws {
        try onMainThread {
            for canShrink in [true, false] {
                try requireDisplay()
                let stage = LongList(
                    .list, itemSizes: { _ in -1 },
                    bind: { stage, item, position in
                        let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                        gtk_picture_set_can_shrink(OpaquePointer(picture), canShrink ? 1 : 0)
                        gtk_list_item_set_child(item, picture)
                        var context = stage.context
                        context.thumbnailPixelSize = PixelSize(width: 80, height: 60)
                        PictureView(picture).setImage(with: URL(filePath: "/pictures/\(position)"), context: context)
                    })
                defer { stage.close() }
                iterate(until: { !stage.asked.isEmpty }, "the first rows")
                drawFrames(3, of: stage.window)
                XCTAssertGreaterThan(stage.seenItems.count, 50, "GTK shows as many")
                // As squares, two rows of 300 points fill the list.
                XCTAssertEqual(stage.asked, ["0", "1"])
                var finished = 0
                while finished < stage.asked.count {
                    finished = stage.asked.count
                    stage.finishAll()
                    iterate(until: { stage.shownCount == finished }, "the pictures")
                    drawFrames(5, of: stage.window)
                }
                XCTAssertEqual(stage.asked, (0..<finished).map { "\($0)" })
                let count = canShrink ? 2 : stage.seenItems.count
                XCTAssertLessThanOrEqual(count, 8)
                XCTAssertTrue((2 * count...3 * count).contains(finished), "\(finished) of \(count)")
            }
        }
    }

    /// S0-3
    func testABoxOfRowsWithoutAHeightLoadsThreeScreensOfPictures() throws {
        try onMainThread {
            for kind in [BoxStage.Kind.box, .listBox] {
                for isShownFirst in [false, true] {
                    try requireDisplay()
                    let stage = BoxStage(kind, count: 60, side: nil)
                    defer { stage.close() }
                    if isShownFirst {
                        stage.show()
                        drawFrames(2, of: stage.window)
                    }
                    stage.bindAll()
                    stage.show()
                    iterate(until: { !stage.asked.isEmpty }, "the first rows: \(kind)")
                    drawFrames(3, of: stage.window)
                    XCTAssertLessThanOrEqual(stage.asked.count, 8, "\(kind): \(stage.asked)")
                    var finished = 0
                    while finished < stage.asked.count {
                        finished = stage.asked.count
                        // Rows that grow push others out of the window, whose loads are taken back, some of them when
                        // their bytes are there.
                        iterate(
                            until: {
                                stage.finishAll()
                                return !stage.manager.isRunning
                            }, "the pictures: \(kind)")
                        drawFrames(5, of: stage.window)
                    }
                    XCTAssertTrue(Set(stage.shown).isSuperset(of: stage.seen), "\(kind): \(stage.shown)")
                    XCTAssertLessThanOrEqual(finished, 3 * stage.seen.count + 2, "\(kind)")
                }
            }
        }
    }

    func testAWindowThatGrowsFromOneRowToAllLoadsThem() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, count: 12, height: 40)
            defer { stage.close() }
            iterate(until: { stage.asked == ["0"] }, "the first row")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, ["0"])
            stage.resize(height: 700)
            iterate(until: { stage.asked.count == 12 }, "all rows")
            XCTAssertEqual(stage.asked, (0..<12).map { "\($0)" })
            XCTAssertEqual(stage.loader.loads.map(\.priority), Array(repeating: .high, count: 12))
        }
    }

    /// The first of them is cancelled, and never asks for anything.
    func testAFactoryThatBindsTwiceLoadsTheLatestPicturesOnly() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(
                .list,
                bind: { stage, item, position in
                    stage.show(1000 + position, in: item)
                    stage.show(position, in: item)
                })
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, Self.seen)
            for (picture, position) in stage.list.bound { stage.show(position, in: PictureView(picture)) }
            drawFrames(3, of: stage.window)
            XCTAssertEqual(stage.asked, Self.seen + Self.seen, "asked anew")
            stage.finishAll()
            iterate(until: { stage.shown == Array(0..<10) }, "the pictures")
        }
    }

    // MARK: Places

    func testAListInARevealerLoadsWhenItIsRevealed() throws {
        try onMainThread {
            for transition in [GTK_REVEALER_TRANSITION_TYPE_CROSSFADE, GTK_REVEALER_TRANSITION_TYPE_SLIDE_DOWN] {
                try requireDisplay()
                let revealer: UnsafeMutablePointer<GtkWidget> = gtk_revealer_new()
                gtk_revealer_set_transition_type(OpaquePointer(revealer), transition)
                let stage = LongList(
                    .list,
                    place: {
                        gtk_revealer_set_child(OpaquePointer(revealer), $0)
                        return revealer
                    })
                defer { stage.close() }
                iterate(until: { gtk_widget_get_mapped(revealer) != 0 }, "the window")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, [])
                gtk_revealer_set_reveal_child(OpaquePointer(revealer), 1)
                iterate(until: { gtk_revealer_get_child_revealed(OpaquePointer(revealer)) != 0 }, "the movement")
                iterate(until: { stage.asked.count >= 10 }, "the first screen")
                drawFrames(3, of: stage.window)
                // Also while a slide makes the list many times as high as its window.
                XCTAssertEqual(stage.asked, Self.seen)
            }
        }
    }

    /// A list without a `GtkScrolledWindow`, whose adjustments the app moves.
    func testAListInAScrollerOfTheAppsOwnHasItsWindow() throws {
        try onMainThread {
            for scroller in [LongList.Scroller.itself, .viewport] {
                try requireDisplay()
                let stage = LongList(.list, in: scroller)
                defer { stage.close() }
                iterate(until: { stage.asked.count >= 10 }, "the first screen")
                drawFrames(3, of: stage.window)
                XCTAssertEqual(stage.asked, Self.seen, "\(scroller)")
                stage.scroll(to: 100 * LongList.itemSize)
                iterate(until: { stage.asked.count >= 20 }, "the screen after the jump")
                drawFrames(3, of: stage.window)
                let seen = stage.seenItems
                XCTAssertTrue(seen.count == 10 && seen[0] > 80, "\(scroller): \(seen)")
                XCTAssertEqual(stage.asked.dropFirst(10), seen.map(String.init)[...], "\(scroller)")
                stage.finishAll()
                iterate(until: { stage.asked.count > 40 }, "what is near")
                drawFrames(3, of: stage.window)
                let near = stage.asked.dropFirst(20).compactMap { Int($0) }
                let (behind, ahead) = (near.count { $0 < seen[0] }, near.count { $0 > seen[9] })
                XCTAssertEqual(
                    near.sorted(), Array(seen[0] - behind..<seen[0]) + Array(seen[9] + 1...seen[9] + ahead))
                // In a viewport, by points: ten rows are a little more than a screen.
                XCTAssertTrue((9...10).contains(behind) && (18...20).contains(ahead), "\(scroller): \(near)")
            }
        }
    }

    /// Apps may replace the adjustments of any scroller.
    func testAScrollerWithOtherAdjustmentsKnowsItsDirection() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, in: .itself)
            defer { stage.close() }
            gtk_scrollable_set_vadjustment(OpaquePointer(stage.list.widget), gtk_adjustment_new(0, 0, 0, 0, 0, 0))
            iterate(until: { stage.asked.count >= 10 }, "the first screen")
            stage.scroll(to: 20 * LongList.itemSize)
            XCTAssertEqual(ScrollArea.of(stage.list.widget)?.direction, .forwards)
        }
    }

    /// A window of another size is no scroll.
    func testAChangeOfTheSizeIsNoMovement() throws {
        try onMainThread {
            try requireDisplay()
            let stage = LongList(.list, count: 100)
            defer { stage.close() }
            iterate(until: { stage.asked.count == 10 }, "the first screen")
            stage.scroll(to: 20 * LongList.itemSize)
            stage.scroll(to: 19 * LongList.itemSize)
            let area = try XCTUnwrap(ScrollArea.around(stage.list.widget))
            XCTAssertEqual(area.direction, .backwards)
            stage.resize(height: 250)
            iterate(until: { stage.seenItems.count <= 6 }, "a smaller window")
            // Half of the screens' size makes twice as many screens of the same place.
            stage.scroll(to: 18 * LongList.itemSize)
            XCTAssertEqual(area.direction, .backwards)
        }
    }

    /// As an app's own scroller moves its child, and not by cells.
    func testAViewportWithoutAListLoadsWhatIsSeenFirst() throws {
        try onMainThread {
            try requireDisplay()
            let test = TestStage()
            let column: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
            let viewport: UnsafeMutablePointer<GtkWidget> = gtk_viewport_new(nil, nil)
            gtk_viewport_set_child(OpaquePointer(viewport), column)
            let pictures = (0..<60).map { _ -> UnsafeMutablePointer<GtkWidget> in
                let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                gtk_widget_set_size_request(picture, 50, 50)
                gtk_box_append(column.of(GtkBox.self), picture)
                return picture
            }
            let box = RoomLayout.makeBox()
            gtk_box_append(box.of(GtkBox.self), viewport)
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            gtk_window_set_default_size(window.of(GtkWindow.self), 300, 300)
            gtk_window_set_child(window.of(GtkWindow.self), box)
            WindowLoads.around(viewport)?.patience = .seconds(3600)
            for index in pictures.indices.reversed() {
                PictureView(pictures[index]).setImage(with: test.url("\(index)"), context: test.context)
            }
            gtk_window_present(window.of(GtkWindow.self))
            let asked = { test.loader.loads.compactMap { Int($0.request.url.lastPathComponent) } }
            iterate(until: { asked().count >= 6 }, "the first screen")
            drawFrames(3, of: window)
            XCTAssertEqual(asked(), Array(0..<6))
            gtk_adjustment_set_value(viewport.scrollAdjustments[1], 1500)
            iterate(until: { asked().count >= 12 }, "the middle")
            drawFrames(3, of: window)
            XCTAssertEqual(asked(), Array(0..<6) + Array(30..<36))
        }
    }

    /// Neither waits for a layout, nor for others.
    func testViewsWithoutAScrollerLoadAtOnceInTheOrderOfTheCalls() throws {
        try onStage(pictures: 30) { stage, test in
            for (index, picture) in stage.widgets.enumerated() {
                PictureView(picture).setImage(with: test.url("\(index)"), context: test.context)
            }
            XCTAssertEqual(
                test.loader.loads.map(\.request.url.lastPathComponent), (0..<30).map { "\($0)" })
        }
    }
}
