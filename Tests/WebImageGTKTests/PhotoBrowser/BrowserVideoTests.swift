import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// The videos of a browser.
final class BrowserVideoTests: GTKTestCase, @unchecked Sendable {
    /// A video whose address never comes.
    private func endless() -> Photo.Content {
        .video(
            url: {
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                // Ends when the task is cancelled.
                for await _ in stream {}
                continuation.finish()
                return nil
            }, poster: nil)
    }

    /// A video without a file, which notes each time that it is to begin.
    @MainActor
    private func video(_ index: Int, notedIn asked: Recorder<Int>) -> Photo {
        Photo(
            .video(
                url: {
                    asked.append(index)
                    return nil
                }, poster: nil))
    }

    /// MW-10 MW-44 The video of the first page begins by itself when asked for, once, and a turn takes it away; other pages
    /// have a button.
    func testVideo() throws {
        try onMainThread {
            let asked = Recorder<Int>()
            let stage = try browserStage(3) {
                $0.browser.autoPlayOnAppear = true
                for index in 0..<2 {
                    $0.app.photos[index] = video(index, notedIn: asked)
                }
            }
            defer { stage.close() }
            iterate(until: { asked.values == [0] && stage.browser.pages.video == nil }, "the first video was asked for")
            XCTAssertEqual(stage.browser.pages.status.content, .video)
            stage.browser.setCurrentPhotoIndex(1)
            XCTAssertEqual(stage.browser.pages.status.content, .video)
            press(stage.browser.pages.status.playButton)
            XCTAssertNotNil(stage.browser.pages.video)
            stage.browser.setCurrentPhotoIndex(2)
            XCTAssertNil(stage.browser.pages.video)
            XCTAssertLessThanOrEqual(asked.values.count, 2)
        }
    }

    /// MW-10 By default no video begins by itself.
    func testNoVideoBeginsUnasked() throws {
        try onBrowser(3) {
            $0.app.photos[0] = Photo(endless())
        } test: { stage in
            XCTAssertFalse(stage.browser.autoPlayOnAppear)
            iterateWhatIsReady()
            XCTAssertNil(stage.browser.pages.video)
            XCTAssertEqual(stage.browser.pages.status.content, .video)
        }
    }

    /// MW-10 The page that the browser opens with is meant, and the first time alone: neither another page, nor the same one
    /// after a turn, nor the grid's end begins a video again.
    func testOnlyTheInitialPagePlaysAndOnce() throws {
        try onMainThread {
            let asked = Recorder<Int>()
            let stage = try browserStage(3) {
                $0.browser.autoPlayOnAppear = true
                for index in 0..<3 {
                    $0.app.photos[index] = video(index, notedIn: asked)
                    $0.app.thumbnails[index] = Photo(.empty)
                }
                $0.browser.setCurrentPhotoIndex(1)
            }
            defer { stage.close() }
            iterate(
                until: { asked.values == [1] && stage.browser.pages.video == nil },
                "the video of the page was asked for")
            for index in [0, 1, 2, 1] {
                stage.browser.setCurrentPhotoIndex(index)
                iterateWhatIsReady()
                XCTAssertNil(stage.browser.pages.video, "page \(index)")
            }
            stage.browser.showGrid()
            stage.browser.hideGrid()
            gtk_widget_set_visible(stage.window, 0)
            stage.show()
            iterate(until: { gtk_widget_get_mapped(stage.browser.widget) != 0 }, "the browser is seen again")
            iterateWhatIsReady()
            XCTAssertNil(stage.browser.pages.video)
            XCTAssertEqual(asked.values, [1])
        }
    }

    /// MW-44 While the address of a video is awaited, its page shows that; the grid and a turn end the wait.
    func testWait() throws {
        try onBrowser(3) {
            $0.app.photos[0] = Photo(endless())
            $0.app.thumbnails[0] = Photo(.empty)
        } test: { stage in
            press(stage.browser.pages.status.playButton)
            XCTAssertEqual(stage.browser.pages.status.content, .loading(nil))
            stage.browser.showGrid()
            XCTAssertNil(stage.browser.pages.video, "nothing plays below the grid")
            stage.browser.hideGrid()
            XCTAssertEqual(stage.browser.pages.status.content, .video)
            press(stage.browser.pages.status.playButton)
            stage.browser.showNextPhoto(animated: true)
            XCTAssertNil(stage.browser.pages.video, "nothing plays over pages that turn")
        }
    }

    /// MW-44 A video without an address, and one whose address cannot be found, say so.
    func testNoAddress() throws {
        try onBrowser(3) {
            $0.app.photos[0] = Photo(.video(url: { nil }, poster: nil))
            $0.app.photos[1] = Photo(.video(url: { throw WebImageError.scripted }, poster: nil))
        } test: { stage in
            for (index, reason) in ["no address", "scripted failure"].enumerated() {
                stage.browser.setCurrentPhotoIndex(index)
                press(stage.browser.pages.status.playButton)
                iterate(until: { stage.notice != nil }, "a notice")
                XCTAssertTrue(stage.notice?.contains(reason) == true, stage.notice ?? "")
                XCTAssertEqual(stage.browser.pages.status.content, .video)
                stage.clock.advance(by: .seconds(3))
                XCTAssertNil(stage.notice)
            }
        }
    }

    /// A browser that was presented just now from a thumbnail, with a video that begins by itself.
    @MainActor
    private func playingStage(_ strategy: HandoffStrategy = .prefetchedOriginal) throws -> BrowserStage {
        let stage = try presentingStage(1, thumbnails: 1) {
            $0.app.photos[0] = Photo(endless())
            $0.browser.autoPlayOnAppear = true
            $0.browser.handoffStrategy = strategy
        }
        stage.browser.present(from: PictureView(stage.thumbnails[0]))
        return stage
    }

    /// MW-10 A video that begins by itself waits for the flight to its page.
    func testAfterFlight() throws {
        try onMainThread {
            let stage = try playingStage()
            defer { stage.close() }
            iterate(until: { gtk_widget_get_mapped(stage.browser.widget) != 0 }, "the browser is on the screen")
            XCTAssertTrue(stage.browser.pages.flight.isRunning)
            XCTAssertNil(stage.browser.pages.video)
            stage.animator.finish()
            XCTAssertNotNil(stage.browser.pages.video)
        }
    }

    /// MW-10 Without a picture to fly, it does not wait.
    func testWithoutFlight() throws {
        try onMainThread {
            let stage = try playingStage(.indicator)
            defer { stage.close() }
            iterate(until: { stage.browser.pages.video != nil }, "the video begins")
        }
    }

    /// MW-44 A video that plays is paused when it is not seen, and stays so.
    func testPause() throws {
        try onMainThread {
            let file = URL.temporaryDirectory.appending(path: "silence-\(UUID().uuidString).wav")
            try silence(seconds: 60).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let stage = try browserStage(3) { $0.app.photos[0] = Photo(.video(url: { file }, poster: nil)) }
            defer { stage.close() }
            press(stage.browser.pages.status.playButton)
            iterate(until: { stage.browser.pages.video?.stream != nil }, "the player is there")
            let stream = try XCTUnwrap(stage.browser.pages.video?.stream)
            iterate(
                until: { gtk_media_stream_get_playing(stream) != 0 || gtk_media_stream_get_error(stream) != nil },
                "the video plays")
            guard gtk_media_stream_get_error(stream) == nil else { throw XCTSkip("GTK plays no videos here") }
            gtk_widget_set_visible(stage.window, 0)
            XCTAssertEqual(gtk_media_stream_get_playing(stream), 0)
            stage.show()
            iterate(until: { gtk_widget_get_mapped(stage.browser.widget) != 0 }, "the browser is seen again")
            XCTAssertEqual(gtk_media_stream_get_playing(stream), 0)
            stage.browser.pages.toggleVideo()
            XCTAssertNotEqual(gtk_media_stream_get_playing(stream), 0)
        }
    }

    /// Runs `body` with a browser on whose first page a file of these bytes is played, and its stream.
    private func onFile(
        _ data: Data, _ body: @MainActor (BrowserStage, UnsafeMutablePointer<GtkMediaStream>) throws -> Void
    ) throws {
        let file = URL.temporaryDirectory.appending(path: "played-\(UUID().uuidString).wav")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try onBrowser(3) {
            $0.app.photos[0] = Photo(.video(url: { file }, poster: nil))
        } test: { stage in
            press(stage.browser.pages.status.playButton)
            iterate(until: { stage.browser.pages.video?.stream != nil }, "the player is there")
            try body(stage, try XCTUnwrap(stage.browser.pages.video?.stream))
        }
    }

    /// MW-44 A video that has ended goes, and can be played again.
    func testEnd() throws {
        try onFile(silence(seconds: 1)) { stage, stream in
            iterate(
                until: { gtk_media_stream_is_prepared(stream) != 0 || gtk_media_stream_get_error(stream) != nil },
                "the video is open")
            guard gtk_media_stream_get_error(stream) == nil else { throw XCTSkip("GTK plays no videos here") }
            XCTAssertEqual(stage.browser.pages.status.content, .none)
            iterate(until: { stage.browser.pages.video == nil }, "the video is gone")
            XCTAssertEqual(stage.browser.pages.status.content, .video)
            XCTAssertNil(stage.notice)
            XCTAssertEqual(stage.browser.currentIndex, 0)
            press(stage.browser.pages.status.playButton)
            XCTAssertNotNil(stage.browser.pages.video)
        }
    }

    /// MW-44 What cannot be played says why for a second, and goes then.
    func testBrokenVideo() throws {
        try onFile(Data("no video".utf8)) { stage, stream in
            iterate(until: { gtk_media_stream_get_error(stream) != nil }, "the video has failed")
            let start = ContinuousClock.now
            XCTAssertNotNil(stage.browser.pages.video)
            iterate(until: { stage.browser.pages.video == nil }, "the video is gone")
            XCTAssertGreaterThan(start.duration(to: .now), .milliseconds(900))
            XCTAssertEqual(stage.browser.pages.status.content, .video)
        }
    }

    /// MW-44 An address that comes after a turn plays nothing, also when the person has come back.
    func testLateAddress() throws {
        try onMainThread {
            let waiting = Recorder<CheckedContinuation<URL?, Never>>()
            let returned = Recorder<Bool>()
            let stage = try browserStage(3) {
                $0.app.photos[0] = Photo(
                    .video(
                        url: {
                            // Hears nothing of a cancellation.
                            let url = await withCheckedContinuation { waiting.append($0) }
                            returned.append(true)
                            return url
                        }, poster: nil))
            }
            defer { stage.close() }
            press(stage.browser.pages.status.playButton)
            iterate(until: { !waiting.values.isEmpty }, "the address is asked for")
            stage.browser.showNextPhoto(animated: false)
            stage.browser.showPreviousPhoto(animated: false)
            let parts = stage.browser.pages.widget.children.count
            waiting.values.first?.resume(returning: URL(filePath: "/nowhere.webm"))
            iterate(until: { !returned.values.isEmpty }, "the address has come")
            for _ in 0..<20 { g_main_context_iteration(nil, 0) }
            XCTAssertNil(stage.browser.pages.video)
            XCTAssertEqual(stage.browser.pages.status.content, .video)
            XCTAssertEqual(stage.browser.pages.widget.children.count, parts, "there is no player")
            XCTAssertNil(stage.notice)
        }
    }

    /// A file of one channel with 8000 samples a second, each of one byte.
    private func silence(seconds: Int) -> Data {
        func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
        let count = 8000 * seconds
        let format = little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(8000, 4) + little(1, 2)
        return Data(
            Array("RIFF".utf8) + little(36 + count, 4) + Array("WAVEfmt ".utf8) + format + little(8, 2)
                + Array("data".utf8) + little(count, 4) + [UInt8](repeating: 128, count: count))
    }
}
