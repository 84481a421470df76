import CGtk4
import Foundation
import WebImage
import WebImageTesting
import XCTest

@testable import webimage_gallery

/// When the state is written.
final class StateKeeperTests: GTKTestCase, @unchecked Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "keeper-\(UUID().uuidString)")
    private var file: String { folder.appending(path: "webimage-gallery/state.ini").path }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    func testEachChangeOfTheWindowIsWrittenSoon() throws {
        try onGallery { gallery in
            let first = gallery.state(sources: [])
            try first.write(to: file)
            let keeper = StateKeeper(file: file, written: first, delay: .milliseconds(1)) {
                gallery.state(sources: [.place("file:///a.jpg")])
            }
            gallery.changed = { keeper.noteChange() }
            let changes: [() -> Void] = [
                { gallery.order.isDescending = true }, { gallery.transition = .curl }, { gallery.diskLimit = .small },
                { gtk_window_set_default_size(gallery.window.of(GtkWindow.self), 700, 600) },
                { self.scrollDown(gallery) },
            ]
            for change in changes {
                change()
                // The size and the place reach the window some frames later.
                iterate(
                    until: { GalleryState(file: self.file) == gallery.state(sources: [.place("file:///a.jpg")]) },
                    "the state in the file")
            }
        }
    }

    @MainActor
    private func scrollDown(_ gallery: GalleryWindow) {
        gallery.grid.scroll(to: 30, atTop: true)
        iterate(until: { gallery.top != nil }, "the place")
    }

    func testTheNextStartBeginsWithThePictureAtTheTopAlsoAfterTheWindowHasGone() throws {
        try onMainThread {
            let gallery = try makeGallery(width: 800)
            gallery.grid.scroll(to: 30, atTop: true)
            iterate(until: { gallery.top != nil }, "the place")
            let first = try XCTUnwrap(gallery.grid.firstVisible)
            XCTAssertTrue((27...30).contains(first.number), "\(first.number) is in the row of 30")
            gtk_window_destroy(gallery.window.of(GtkWindow.self))
            XCTAssertEqual(gallery.state(sources: []).top, first.url)

            let next = try makeGallery(width: 800)
            defer { gtk_window_destroy(next.window.of(GtkWindow.self)) }
            next.top = first.url
            next.show(next.shelf.all + [GalleryItem(url: URL(filePath: "/60"), number: 60)], from: "the same place")
            iterate(until: { next.grid.visibleCell(at: first.number) != nil }, "its cell")
            XCTAssertEqual(next.grid.firstVisible?.number, first.number)
            XCTAssertEqual(next.top, first.url)
        }
    }

    func testNothingIsWrittenWithoutAChange() throws {
        onMainThread {
            initializeGTK()
            StateKeeper(file: file, written: GalleryState()) { GalleryState() }.write()
            XCTAssertFalse(FileManager.default.fileExists(atPath: file))
        }
    }

    func testTwoWindowsKeepWhatEachOfThemHasChanged() throws {
        try onMainThread {
            initializeGTK()
            let first = GalleryState()
            try first.write(to: file)
            var (one, other) = (first, first)
            let keepers = [
                StateKeeper(file: file, written: first) { one }, StateKeeper(file: file, written: first) { other },
            ]
            one.transition = .curl
            keepers[0].write()
            (other.sources, other.isMaximized) = ([.place("file:///a.jpg")], true)
            keepers[1].write()
            one.order.key = .date
            keepers[0].write()
            var both = other
            (both.transition, both.order.key) = (.curl, .date)
            XCTAssertEqual(GalleryState(file: file), both)
        }
    }

    // MARK: The program

    @MainActor
    private func start(_ arguments: String...) throws -> Process {
        let program = Process()
        program.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "webimage-gallery")
        program.arguments = arguments + ["--cache", folder.appending(path: "cache").path]
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        environment["XDG_STATE_HOME"] = folder.path
        program.environment = environment
        program.standardOutput = FileHandle.nullDevice
        try program.run()
        return program
    }

    func testAProgramThatIsKilledHasRememberedItsSources() throws {
        try onMainThread {
            try requireDisplay()
            let program = try start("/nonexistent/folder")
            wait("the state in the file") { GalleryState(file: file).sources == [.place("file:///nonexistent/folder")] }
            kill(program.processIdentifier, SIGKILL)
            program.waitUntilExit()
        }
    }

    func testTheEndOfASessionEndsTheProgramAndAListToLookAtIsNotRemembered() throws {
        try onMainThread {
            try requireDisplay()
            var state = GalleryState()
            state.sources = [.place("file:///tmp/a.jpg")]
            state.transition = .curl
            try state.write(to: file)
            let (origin, gate) = (try LoopbackOrigin(), Gate())
            origin.serve("/list", .text("a.jpg").held(by: gate))
            let program = try start("--origin", origin.url("/list").absoluteString)
            wait("the request for the list") { origin.requestCount("/list") == 1 }
            kill(program.processIdentifier, SIGTERM)
            wait("the end of the program") { !program.isRunning }
            if program.isRunning { kill(program.processIdentifier, SIGKILL) }
            program.waitUntilExit()
            XCTAssertEqual(program.terminationReason, .exit)
            XCTAssertEqual(program.terminationStatus, 0)
            XCTAssertEqual(GalleryState(file: file).sources, state.sources)
            gate.open()
        }
    }
}
