import CGtk4
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Loads while a list scrolls, with a clock that the test controls.
final class ScrollHoldTests: GTKTestCase, @unchecked Sendable {
    /// S0-3: a load of low priority waits while the list scrolls fast, and begins when it slows down.
    func testLowPriorityWaitsForTheEndOfTheScrolling() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            let operation = try XCTUnwrap(stage.bind(seen[0], to: "low", .lowPriority))
            stage.bind(seen[1], to: "normal")
            stage.bind(seen[2], to: "high", [.lowPriority, .highPriority])
            XCTAssertEqual(stage.asked, ["normal", "high"])
            rest(stage)
            XCTAssertEqual(stage.asked, ["normal", "high", "low"])
            operation.cancel()
            XCTAssertTrue(stage.loader.loads[2].isCancelled)
        }
    }

    /// S0-3: a picture in memory shows at once, whatever the speed.
    func testWhatMemoryAnswersNeverWaits() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            stage.bind(seen[0], to: "a")
            stage.finish("a", .red)
            iterate(until: { stage.view(seen[0]).image != nil }, "the picture")
            stage.bind(seen[1], to: "a", .lowPriority)
            XCTAssertEqual(stage.view(seen[1]).image?.colour, .red)
        }
    }

    /// S0-3: a load that was cancelled before the list slows down never begins.
    func testACellThatIsBoundAnewWhileItWaitsLoadsOnlyTheLatest() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            let endings = Recorder<String>()
            for name in ["a", "b", "c"] {
                stage.bind(seen[0], to: name, .lowPriority) { if $0.isCancelled { endings.append(name) } }
            }
            XCTAssertEqual(endings.values, ["a", "b"])
            rest(stage)
            XCTAssertEqual(stage.asked, ["c"])
        }
    }

    /// S0-3, VIEW-12: the caller of a waiting load can cancel it.
    func testALoadThatWaitsForTheEndOfTheScrollingCanBeCancelled() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            let endings = Recorder<Bool>()
            let operation = stage.bind(seen[0], to: "a", .lowPriority) { endings.append($0.isCancelled) }
            operation?.cancel()
            XCTAssertEqual(endings.values, [true])
            rest(stage)
            XCTAssertEqual(stage.asked, [])
        }
    }

    /// S0-3: visible pictures are loaded first.
    func testWhatIsSeenComesFirst() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            for (index, name) in [(0, "unseen"), (seen[1], "second"), (seen[0], "first")] {
                stage.bind(index, to: name, .lowPriority)
            }
            rest(stage)
            iterate(until: { stage.asked.count == 3 }, "all loads")
            XCTAssertEqual(stage.asked, ["first", "second", "unseen"])
        }
    }

    /// S0-3: closures of the first resumed load may destroy the widgets of the others.
    func testALoadThatGoesOnMayDestroyTheOthers() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            let live = LiveObjects()
            let rows = seen.prefix(3).compactMap { gtk_widget_get_parent(stage.pictures[$0]) }
            let endings = Recorder<String>()
            let whenResumed = Observed(false)
            stage.manager.listeners = [
                LoadBeginning {
                    for row in rows.dropFirst() where whenResumed.value && live.count > 1 {
                        gtk_list_box_remove(OpaquePointer(gtk_widget_get_parent(row)), row)
                    }
                }
            ]
            for index in 0..<3 {
                live.watch(UnsafeMutableRawPointer(stage.pictures[seen[index]]))
                stage.bind(seen[index], to: "\(index)", .lowPriority) {
                    if $0.isCancelled { endings.append("\(index)") }
                }
            }
            whenResumed.update { $0 = true }
            rest(stage)
            XCTAssertEqual(stage.asked, ["0"])
            XCTAssertEqual(live.count, 1)
            XCTAssertEqual(endings.values, (1..<3).map(String.init))
        }
    }

    /// S3-20: changes of the app's context while the load waits have no effect.
    func testALoadThatWaitsKeepsTheContextOfItsCall() throws {
        try onMainThread {
            let stage = try flying()
            defer { stage.close() }
            let seen = stage.seen
            var context = WebImageContext()
            context.manager = stage.manager
            context.thumbnailPixelSize = PixelSize(width: 10, height: 10)
            stage.view(seen[0]).setImage(with: stage.url("a"), options: .lowPriority, context: context)
            context.thumbnailPixelSize = PixelSize(width: 20, height: 20)
            context.loader = SuspendedLoader()
            rest(stage)
            XCTAssertEqual(stage.boxes, [PixelSize(width: 10, height: 10)])
        }
    }

    /// S0-10, OPT-7: between visible views, the app's options decide.
    func testOfWhatIsSeenThatOfHighPriorityComesFirst() throws {
        try onList(pictures: 3) { stage in
            stage.present(in: self)
            stage.bind(0, to: "thumbnail")
            stage.bind(1, to: "portrait", .highPriority)
            stage.bind(2, to: "decoration", .lowPriority)
            XCTAssertEqual(stage.loader.loads.map(\.priority), [.high, .veryHigh, .normal])
        }
    }

    /// S0-3: a window that is minimised while it scrolls gets no more frames.
    func testNothingWaitsForFramesThatDoNotCome() throws {
        try onMainThread {
            try requireDisplay()
            let window = TestWindow.make()
            defer { gtk_window_destroy(window.of(GtkWindow.self)) }
            gtk_window_present(window.of(GtkWindow.self))
            let stage = try flying { $0.area.frames = window }
            defer { stage.close() }
            let seen = stage.seen
            stage.bind(seen[0], to: "a", .lowPriority)
            gtk_widget_set_visible(window, 0)
            gtk_widget_unrealize(window)
            XCTAssertEqual(stage.asked, [])
            iterate(until: { stage.asked == ["a"] }, "the load")
        }
    }

    /// S0-3: when a scroller is destroyed, its loads continue or end.
    func testAScrollerThatGoesHoldsNothing() throws {
        try onMainThread {
            let stage = try flying()
            let seen = stage.seen
            let endings = Recorder<Bool>()
            stage.bind(seen[0], to: "a", .lowPriority) { endings.append($0.isCancelled) }
            stage.close()
            XCTAssertEqual(endings.values, [true])
            XCTAssertFalse(stage.manager.isRunning)
        }
    }

    /// S0-3
    func testLoadsOfInvisibleViewsAreOfLowPriorityUntilTheyAreSeen() throws {
        try onList(pictures: 1) { stage in
            stage.present(in: self)
            gtk_widget_set_visible(stage.pictures[0], 0)
            stage.bind(0, to: "a")
            iterate(until: { !stage.asked.isEmpty }, "the load")
            let load = try XCTUnwrap(stage.loader.loads.first)
            XCTAssertEqual(load.priority, .low)
            gtk_widget_set_visible(stage.pictures[0], 1)
            iterate(until: { load.priority == .high }, "a higher priority")
            gtk_widget_set_visible(stage.pictures[0], 0)
            iterate(until: { load.priority == .low }, "a lower priority")
        }
    }

    /// A list that scrolls at some six pages a second.
    @MainActor
    private func flying(_ prepare: (ListStage) -> Void = { _ in }) throws -> ListStage {
        try requireDisplay()
        let stage = ListStage(pictures: 60)
        prepare(stage)
        stage.present(in: self)
        iterate(
            until: {
                stage.scroll(by: 30)
                return stage.area.isFast
            }, "fast scrolling")
        return stage
    }

    /// Nothing moves any more, for long enough to be detected.
    @MainActor
    private func rest(_ stage: ListStage) {
        iterate(
            until: {
                stage.time += 16_667
                stage.queueDraw()
                return !stage.area.isFast
            }, "the end of the scrolling")
    }
}
