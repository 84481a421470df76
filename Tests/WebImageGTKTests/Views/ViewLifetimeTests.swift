import CGtk4
import FoundationEssentials
import WebImage
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// Widgets of every kind that are destroyed, moved and reused during loads.
final class ViewLifetimeTests: ViewTestCase, @unchecked Sendable {
    /// S0-23: the load ends, and nothing of it remains.
    func testDestroyedWhileLoading() throws {
        try forEachKind { kind, stage, view, test in
            let live = LiveObjects()
            live.watchAll(stage.widget)
            weak let coordinator = Coordinator.of(view.widget)
            var endings: [Bool] = []
            view.setImage(with: test.url("a"), placeholder: try Colour.green.image(), context: test.context) {
                endings.append($0.isCancelled)
            }
            live.watchAll(stage.widget)
            stage.close()
            XCTAssertEqual(endings, [true], kind.name)
            XCTAssertTrue(test.pending.isEmpty, kind.name)
            XCTAssertNil(coordinator, kind.name)
            drain()
            XCTAssertEqual(live.count, 0, kind.name)
        }
    }

    func testDestroyedWhileFading() throws {
        try forEachKind { kind, stage, view, test in
            let live = LiveObjects()
            live.watchAll(stage.widget)
            weak let coordinator = Coordinator.of(view.widget)
            view.image = try Colour.green.image()
            var hasEnded = false
            view.setImage(with: test.url("a"), context: test.context) { _ in
                view.fadeFromPreviousContent()
                hasEnded = true
            }
            test.finish(test.url("a"), .red)
            iterate(until: { hasEnded }, "the picture of \(kind.name)")
            for _ in 0..<5 { g_main_context_iteration(nil, 0) }
            stage.close()
            drain()
            XCTAssertNil(coordinator, kind.name)
            XCTAssertEqual(live.count, 0, kind.name)
        }
    }

    /// A button's pictures for its states are released with it, even during a transition.
    func testAButtonsPicturesGoWithIt() throws {
        try onMainThread {
            try requireDisplay()
            let stage = try shown(gtk_toggle_button_new())
            let (view, test) = (ButtonView(stage.widget), TestStage())
            view.imageTransition = .flipFromLeft(duration: .seconds(60))
            load(.red, in: view, test)
            load(.blue, in: view.alternateView, test)
            load(.green, in: view.backgroundView(for: .checked), test)
            gtk_toggle_button_set_active(stage.widget.of(GtkToggleButton.self), 1)
            drawFrames(4, of: stage.window)
            load(Colour(red: 9, green: 9, blue: 9), in: view.alternateView, test)
            drawFrames(4, of: stage.window)
            XCTAssertTrue(Coordinator.of(stage.widget).surface.display(of: view.alternateView)?.isAnimating == true)
            weak let contents = ButtonContents.of(stage.widget)
            weak let images = contents?.images
            weak let backgrounds = contents?.backgrounds
            stage.close()
            XCTAssertNil(contents)
            XCTAssertNil(images)
            XCTAssertNil(backgrounds)
        }
    }

    func testDestroyedInACompletion() throws {
        try forEachKind { kind, stage, view, test in
            let live = LiveObjects()
            live.watchAll(stage.widget)
            var hasEnded = false
            view.setImage(with: test.url("a"), context: test.context) { _ in
                stage.close()
                hasEnded = true
            }
            test.finish(test.url("a"), .red)
            iterate(until: { hasEnded }, "the completion of \(kind.name)")
            drain()
            XCTAssertEqual(live.count, 0, kind.name)
        }
    }

    /// S0-23: the test keeps a reference to the destroyed widget. A result for it changes nothing, and loads for it end
    /// at once.
    func testADestroyedWidgetThatIsKeptIsLeftAlone() throws {
        try forEachKind { kind, stage, view, test in
            let widget = view.widget
            view.setImage(with: test.url("late"), context: test.context)
            test.finish(test.url("late"), .red)
            g_object_ref(UnsafeMutableRawPointer(widget))
            defer { g_object_unref(UnsafeMutableRawPointer(widget)) }
            stage.close()
            g_object_run_dispose(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self))
            var endings: [Bool] = []
            view.setImage(with: test.url("a"), context: test.context) { endings.append($0.isCancelled) }
            XCTAssertEqual(endings, [true], kind.name)
            XCTAssertEqual(test.loader.loads.count, 1, kind.name)
            XCTAssertNil(view.image, kind.name)
        }
    }

    /// Removed from its window during a load, and put back.
    func testUnparentedAndParentedAgain() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            g_object_ref(UnsafeMutableRawPointer(stage.widget))
            defer { g_object_unref(UnsafeMutableRawPointer(stage.widget)) }
            view.setImage(with: test.url("a"), context: test.context)
            stage.remove()
            test.finish(test.url("a"), .red)
            iterate(until: { view.image != nil }, "the picture of \(kind.name)")
            stage.add()
            iterate(until: { stage.isMapped }, "\(kind.name) on the screen again")
            XCTAssertEqual(view.image?.colour, .red, kind.name)
            load(.blue, in: view, test)
        }
    }

    /// VIEW-8, VIEW-16, S3-22: reused for another picture before the first one arrived.
    func testReuse() throws {
        try forEachKind { kind, stage, view, test in
            defer { stage.close() }
            var endings: [Bool] = []
            for index in 0..<20 {
                view.setImage(with: test.url("\(index)"), context: test.context) { endings.append($0.isCancelled) }
                if index % 3 == 0 { test.finish(test.url("\(index)"), .green) }
            }
            test.finish(test.url("19"), .blue)
            iterate(until: { endings.count == 20 }, "the end of all loads of \(kind.name)")
            XCTAssertEqual(view.image?.colour, .blue, kind.name)
            XCTAssertEqual(view.currentImageURL, test.url("19"), kind.name)
            XCTAssertFalse(test.manager.isRunning, kind.name)
        }
    }

    /// Runs the pending work of GTK and the library.
    @MainActor
    private func drain() {
        iterateWhatIsReady()
    }
}

extension LiveObjects {
    /// The widget and all its descendants.
    func watchAll(_ widget: UnsafeMutablePointer<GtkWidget>) {
        watch(UnsafeMutableRawPointer(widget))
        for child in widget.children { watchAll(child) }
    }
}
