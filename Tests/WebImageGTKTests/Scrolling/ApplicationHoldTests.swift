import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// An application that is held for loads, with a clock that the test controls.
final class ApplicationHoldTests: GTKTestCase, @unchecked Sendable {
    /// A running GTK application that shows whether anything holds it.
    @MainActor
    private final class App {
        let pointer: UnsafeMutablePointer<GtkApplication>
        let clock = ManualClock()
        let test = TestStage()
        let hold: ApplicationHold
        private(set) var hasEnded = false

        init() {
            pointer = gtk_application_new("org.webimage.HoldTest", G_APPLICATION_NON_UNIQUE)
            hold = ApplicationHold(pointer.asApplication, limit: .seconds(30), clock: clock)
            test.manager.backgroundTasks = hold
        }

        /// Runs until nothing holds it; calls `activated` at the beginning.
        func run(_ activated: @escaping () -> Void) {
            connect(pointer, "activate", activated)
            g_application_run(pointer.asApplication, 0, nil)
            hasEnded = true
            g_object_unref(pointer)
        }

        func load(_ name: String, completed: @escaping @Sendable (Result<LoadResult, WebImageError>) -> Void) {
            test.manager.load(
                test.url(name), options: .continueInBackground, context: test.context, completed: completed)
        }

        func openWindow() -> UnsafeMutablePointer<GtkWidget> {
            let window: UnsafeMutablePointer<GtkWidget> = gtk_application_window_new(pointer)
            gtk_window_present(window.of(GtkWindow.self))
            return window
        }
    }

    private func onApp(_ body: @MainActor (App) throws -> Void) throws {
        try onMainThread {
            try requireDisplay()
            try body(App())
        }
    }

    /// Runs something from the main loop, with time for what is pending there.
    @MainActor
    private func afterwards(_ body: @escaping @MainActor () -> Void) {
        Task { body() }
    }

    /// OPT-4, S0-7
    func testAnApplicationWithoutWindowsLivesUntilItsLoadsHaveEnded() throws {
        try onApp { app in
            let results = Recorder<Bool>()
            app.run {
                let window = app.openWindow()
                app.load("a") { results.append((try? $0.get()) != nil) }
                app.load("b") { results.append((try? $0.get()) != nil) }
                gtk_window_destroy(window.of(GtkWindow.self))
                self.afterwards {
                    app.test.finish(app.test.url("a"), .red)
                    app.test.finish(app.test.url("b"), .red)
                }
            }
            XCTAssertEqual(results.values, [true, true])
            XCTAssertFalse(app.test.manager.isRunning)
        }
    }

    /// OPT-4, S0-7: the load belongs to a view in the window, which is destroyed with it.
    func testALoadOfAViewGoesOnWithoutItsWindow() throws {
        try onApp { app in
            let codes = Recorder<WebImageError.Code?>()
            let progress = Recorder<LoadProgress>()
            app.run {
                let window = app.openWindow()
                let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                gtk_window_set_child(window.of(GtkWindow.self), picture)
                PictureView(picture).setImage(
                    with: app.test.url("a"), options: .continueInBackground, context: app.test.context,
                    progress: { progress.append($0) }
                ) { codes.append($0.code) }
                gtk_window_destroy(window.of(GtkWindow.self))
                XCTAssertEqual(codes.values, [.cancelled], "the view has gone")
                self.afterwards {
                    XCTAssertEqual(app.test.loader.loads.map(\.isCancelled), [false])
                    app.test.loader.loads.first?.progress(1, of: 4)
                    app.test.finish(app.test.url("a"), .red)
                }
            }
            let key = CacheKey(app.test.url("a").absoluteString)
            XCTAssertEqual(app.test.cache.imageFromMemory(for: key)?.colour, .red)
            XCTAssertFalse(app.test.manager.isRunning)
            XCTAssertEqual(codes.values.count, 1)
            XCTAssertEqual(progress.values, [])
        }
    }

    /// OPT-4, S0-7: without the option the load ends with its window, and holds nothing.
    func testAnotherLoadOfAViewEndsWithItsWindow() throws {
        try onApp { app in
            app.run {
                let window = app.openWindow()
                let picture: UnsafeMutablePointer<GtkWidget> = gtk_picture_new()
                gtk_window_set_child(window.of(GtkWindow.self), picture)
                PictureView(picture).setImage(with: app.test.url("a"), context: app.test.context)
                gtk_window_destroy(window.of(GtkWindow.self))
            }
            XCTAssertEqual(app.test.loader.loads.map(\.isCancelled), [true])
        }
    }

    /// S0-7
    func testWhenTheTimeIsUpTheLoadsAreCancelledAndTheApplicationEnds() throws {
        try onApp { app in
            let codes = Recorder<WebImageError.Code?>()
            app.run {
                let window = app.openWindow()
                app.load("a") { codes.append($0.error?.code) }
                gtk_window_destroy(window.of(GtkWindow.self))
                Task {
                    try await app.clock.waitForSleepers(1)
                    app.clock.advance(by: .seconds(29))
                    XCTAssertEqual(codes.values, [])
                    app.clock.advance(by: .seconds(1))
                }
            }
            iterate(until: { !codes.values.isEmpty }, "the end of the load")
            XCTAssertEqual(codes.values, [.cancelled])
            XCTAssertTrue(app.test.loader.loads.allSatisfy(\.isCancelled))
        }
    }

    /// S0-7
    func testTimeDoesNotCountWhileThereIsAWindow() throws {
        try onApp { app in
            let results = Recorder<Bool>()
            app.run {
                let window = app.openWindow()
                app.load("a") { results.append((try? $0.get()) != nil) }
                self.afterwards {
                    XCTAssertEqual(app.clock.sleeperCount, 0)
                    app.clock.advance(by: .seconds(3600))
                    app.test.finish(app.test.url("a"), .red)
                    gtk_window_destroy(window.of(GtkWindow.self))
                }
            }
            XCTAssertEqual(results.values, [true])
        }
    }

    /// S0-7
    func testOtherLoadsDoNotHoldTheApplication() throws {
        try onApp { app in
            app.run {
                let window = app.openWindow()
                app.test.manager.load(app.test.url("a"), context: app.test.context) { _ in }
                gtk_window_destroy(window.of(GtkWindow.self))
            }
            XCTAssertTrue(app.hasEnded)
            app.test.manager.cancelAll()
        }
    }

    /// S0-7
    func testALoadOfAnotherThreadThatEndsBeforeItsHolderHeardOfItLeavesNothingHeld() throws {
        try onApp { app in
            app.run {
                let window = app.openWindow()
                let hold = app.hold
                let began = Observed<(any CancellableTask)?>(nil)
                Thread { began.update { $0 = hold.beginTask {} } }.start()
                self.wait("the beginning of the task") { began.value != nil }
                began.value?.cancel()
                gtk_window_destroy(window.of(GtkWindow.self))
            }
            XCTAssertTrue(app.hasEnded)
        }
    }
}

extension UnsafeMutablePointer<GtkApplication> {
    fileprivate var asApplication: UnsafeMutablePointer<GApplication> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GApplication.self)
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
