import CGtk4
import FoundationEssentials
import WebImage
import WebImageTestLoads
import WebImageTesting
import XCTest

@testable import WebImageGTK

/// SDWebImage's animated image view.
final class AnimatedImageViewTests: GTKTestCase, @unchecked Sendable {
    @MainActor
    private final class Scene {
        let clock = ManualAnimationClock()
        let view: AnimatedImageView
        let window: UnsafeMutablePointer<GtkWidget>

        init(_ test: GTKTestCase) throws {
            try test.requireDisplay()
            view = AnimatedImageView()
            window = TestWindow.make()
            gtk_widget_set_size_request(view.widget, 64, 64)
            gtk_window_set_child(window.of(GtkWindow.self), view.widget)
            Coordinator.of(view.widget).display.playbackClock = clock
            gtk_window_present(window.of(GtkWindow.self))
            test.iterate(
                until: { gtk_widget_get_mapped(self.view.widget) != 0 && gtk_widget_get_width(self.view.widget) > 0 },
                "the window")
        }

        func close() { gtk_window_destroy(window.of(GtkWindow.self)) }
    }

    private func onScene(_ body: @MainActor (Scene) throws -> Void) throws {
        try onMainThread {
            let scene = try Scene(self)
            defer { scene.close() }
            try body(scene)
        }
    }

    /// AIV-11: a still picture shows as in any other view.
    func testAStillPictureHasNoPlayer() throws {
        try onScene { scene in
            scene.view.image = try Colour.red.image()
            XCTAssertNotNil(scene.view.image)
            XCTAssertNil(scene.view.currentFrame)
            XCTAssertNil(scene.view.player)
            XCTAssertFalse(scene.view.isAnimating)
            scene.view.startAnimating()
            XCTAssertFalse(scene.view.isAnimating)
        }
    }

    /// AIV-1: its state can be read.
    func testAnAnimationHasAPlayer() throws {
        try onScene { scene in
            scene.view.image = try .lights()
            XCTAssertEqual(scene.view.player?.totalFrameCount, 3)
            XCTAssertNotNil(scene.view.currentFrame)
            scene.clock.advance(by: .milliseconds(100))
            self.iterate(until: { scene.view.currentFrameIndex == 1 }, "the second frame")
            XCTAssertTrue(scene.view.player?.currentFrame === scene.view.currentFrame)
            XCTAssertEqual(scene.view.currentLoopCount, 0)
        }
    }

    /// AIV-9: the same picture goes on.
    func testTheSamePictureGoesOn() throws {
        try onScene { scene in
            let image = try Image.lights()
            scene.view.image = image
            scene.clock.advance(by: .milliseconds(100))
            self.iterate(until: { scene.view.currentFrameIndex == 1 }, "the second frame")
            let player = scene.view.player
            scene.view.image = image
            XCTAssertTrue(scene.view.player === player)
            XCTAssertEqual(scene.view.currentFrameIndex, 1)
        }
    }

    /// AIV-14: the layout asks for it.
    func testTheNaturalSizeIsThatOfThePicture() throws {
        try onScene { scene in
            scene.view.image = try .lights(side: 24)
            let paintable = try XCTUnwrap(gtk_picture_get_paintable(OpaquePointer(scene.view.widget)))
            XCTAssertEqual(gdk_paintable_get_intrinsic_width(paintable), 24)
            XCTAssertEqual(gdk_paintable_get_intrinsic_height(paintable), 24)
        }
    }

    /// AIV-14: the widget asks for the size of its picture in points, in both directions, before and after a frame, and for
    /// that of the next picture.
    func testTheWidgetAsksForTheSizeOfItsPicture() throws {
        try onScene { scene in
            let widget = scene.view.widget
            gtk_widget_set_size_request(widget, -1, -1)
            func natural() -> [Int32] {
                [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL].map { orientation in
                    var natural: Int32 = 0
                    gtk_widget_measure(widget, orientation, -1, nil, &natural, nil, nil)
                    return natural
                }
            }
            scene.view.image = try .lights(side: 24)
            XCTAssertEqual(natural(), [24, 24])
            scene.clock.advance(by: .milliseconds(100))
            self.iterate(until: { scene.view.currentFrameIndex == 1 }, "the second frame")
            XCTAssertEqual(natural(), [24, 24])
            let frames = try (0..<2).map { _ in
                ImageFrame(
                    bitmap: try Bitmap(
                        size: PixelSize(width: 40, height: 20), pixels: [UInt8](repeating: 255, count: 40 * 20 * 4)),
                    duration: .milliseconds(100))
            }
            scene.view.image = try XCTUnwrap(Image(frames: frames, loopCount: 0, scale: 2))
            XCTAssertEqual(natural(), [20, 10])
            scene.view.image = nil
            XCTAssertEqual(natural(), [0, 0])
        }
    }

    /// AIV-8: without autoplay it waits for a call, and hiding stops at once.
    func testHidingStopsAndAutoplayIsASetting() throws {
        try onScene { scene in
            scene.view.autoPlayAnimatedImage = false
            scene.view.image = try .lights()
            XCTAssertFalse(scene.view.isAnimating)
            scene.view.startAnimating()
            XCTAssertTrue(scene.view.isAnimating)
            gtk_widget_set_visible(scene.view.widget, 0)
            XCTAssertFalse(scene.view.isAnimating)
            XCTAssertEqual(scene.clock.pendingCount, 0)
        }
    }

    /// AIV-3: the app's number of plays applies when it shall.
    func testTheAppsNumberOfPlays() throws {
        try onScene { scene in
            scene.view.animationRepeatCount = 2
            scene.view.image = try .lights(loopCount: 5)
            XCTAssertEqual(scene.view.player?.totalLoopCount, 5)
            let player = scene.view.player
            scene.view.shouldCustomLoopCount = true
            XCTAssertTrue(scene.view.player === player, "its handlers stay")
            var indices: Set<Int> = []
            var loops: [Int] = []
            player?.frameHandler = { index, _ in indices.insert(index) }
            player?.loopHandler = { loops.append($0) }
            self.iterate(
                until: {
                    scene.clock.advance(by: .milliseconds(100))
                    return !scene.view.isAnimating
                }, "the end")
            XCTAssertEqual(loops, [1, 2])
            XCTAssertEqual(indices, [0, 1, 2])
            XCTAssertEqual(scene.view.player?.currentFrame.map { Image(bitmap: $0).colour }, .blue)
        }
    }

    /// AIV-6, AIV-7, A88: two options for a stop.
    func testAStopMayClearAndReset() throws {
        try onScene { scene in
            scene.view.image = try .lights()
            scene.clock.advance(by: .milliseconds(100))
            self.iterate(until: { scene.view.currentFrameIndex == 1 }, "the second frame")
            scene.view.stopAnimating()
            XCTAssertEqual(scene.view.currentFrameIndex, 1)
            XCTAssertGreaterThan(scene.view.player?.statistics.bufferedByteCount ?? 0, 0)
            scene.view.clearBufferWhenStopped = true
            scene.view.resetFrameIndexWhenStopped = true
            scene.view.startAnimating()
            XCTAssertTrue(scene.view.isAnimating)
            scene.view.stopAnimating()
            XCTAssertEqual(scene.view.currentFrameIndex, 0)
            XCTAssertEqual(scene.view.player?.statistics.bufferedByteCount, 0)
        }
    }

    /// AIV-4: rate, order and buffer are those of the player.
    func testSettingsReachThePlayer() throws {
        try onScene { scene in
            scene.view.playbackRate = 2
            scene.view.playbackMode = .reverse
            scene.view.maxBufferSize = 1
            scene.view.image = try .lights()
            let player = scene.view.player
            XCTAssertEqual(player?.playbackRate, 2)
            XCTAssertEqual(player?.playbackMode, .reverse)
            XCTAssertEqual(player?.maxBufferSize, 1)
            XCTAssertEqual(player?.lateFramePolicy, .keepClock)
            scene.view.playbackRate = 3
            XCTAssertTrue(scene.view.player === player)
            XCTAssertEqual(player?.playbackRate, 3)
            self.iterate(until: { scene.view.currentFrameIndex == 2 }, "the last frame, which comes first")
        }
    }

    /// AIV-13, A82, S4-15: the parts of an animation go on, and the whole begins anew.
    func testAnAnimationPlaysAsFarAsItHasArrived() throws {
        try onScene { scene in
            let parts = GrowingLights()
            scene.view.image = try parts.image(frameCount: 2, isIncremental: true)
            XCTAssertTrue(scene.view.isProgressive)
            let player = scene.view.player
            scene.clock.advance(by: .milliseconds(100))
            self.iterate(until: { scene.view.currentFrameIndex == 1 }, "the second frame")
            scene.clock.advance(by: .seconds(5))
            XCTAssertEqual(scene.view.currentFrameIndex, 1, "it waits for the third")
            XCTAssertTrue(scene.view.isAnimating)
            scene.view.image = try parts.image(frameCount: 4, isIncremental: true)
            XCTAssertTrue(scene.view.player === player)
            self.iterate(until: { scene.view.currentFrameIndex == 2 }, "the third frame")
            scene.view.image = try parts.image(frameCount: 6, isIncremental: false)
            XCTAssertFalse(scene.view.isProgressive)
            XCTAssertEqual(scene.view.currentFrameIndex, 0)
            XCTAssertTrue(scene.view.isAnimating)
        }
    }

    /// AIV-5, B21: without it the first frame shows while the rest arrives.
    func testAnAnimationMayWaitUntilItHasArrived() throws {
        try onScene { scene in
            scene.view.shouldIncrementalLoad = false
            let parts = GrowingLights()
            scene.view.image = try parts.image(frameCount: 2, isIncremental: true)
            XCTAssertFalse(scene.view.isAnimating)
            XCTAssertNotNil(scene.view.image)
            scene.view.image = try parts.image(frameCount: 6, isIncremental: false)
            XCTAssertTrue(scene.view.isAnimating)
        }
    }

    /// S4-10, AIV-15, VIEW-16: the calls of all views.
    func testItLoadsAsAllViewsDo() throws {
        try onScene { scene in
            let test = TestStage()
            test.cache.storeInMemory(try .lights(), for: test.manager.cacheKey(for: test.url("a")))
            scene.view.context = test.context
            scene.view.imageSizing = .file
            scene.view.url = test.url("a")
            self.iterate(until: { scene.view.isAnimating }, "the animation")

            test.cache.storeInMemory(try .lights(loopCount: 3), for: test.manager.cacheKey(for: test.url("b")))
            var ended = 0
            scene.view.setImage(with: test.url("b"), placeholder: try Colour.red.image(), context: test.context) {
                if case .success = $0 { ended += 1 }
            }
            self.iterate(until: { ended == 1 && scene.view.player?.totalLoopCount == 3 }, "the other animation")
        }
    }

    /// S4-17: a coder of an app plays with no other change.
    func testAnAppsOwnCoderPlays() throws {
        try onScene { scene in
            let coder = LightsCoder()
            let image = try coder.decode(Data("lights:RGB".utf8), options: ImageDecodeOptions())
            scene.view.image = image
            XCTAssertTrue(scene.view.isAnimating)
            for index in [1, 2, 0] {
                scene.clock.advance(by: .milliseconds(100))
                self.iterate(until: { scene.view.currentFrameIndex == index }, "frame \(index)")
            }
            XCTAssertEqual(scene.view.currentLoopCount, 1)
        }
    }
}

/// A format of an app: one letter for the colour of each frame.
private struct LightsCoder: AnimatedImageCoder {
    private final class Lights: AnimatedImageProvider {
        let colours: [Colour]
        init(_ colours: [Colour]) { self.colours = colours }

        var frameCount: Int { colours.count }
        var loopCount: Int { 0 }
        func duration(at index: Int) -> Duration { .milliseconds(100) }
        func preloadAllFrames() {}
        func frame(at index: Int) throws(WebImageError) -> Bitmap {
            do { return try colours[index].image().bitmap } catch {
                throw WebImageError(.badImageData, stage: .decode, kind: .permanent, reason: "no colour")
            }
        }
    }

    func canDecode(_ data: Data) -> Bool { data.starts(with: Data("lights:".utf8)) }

    func properties(of data: Data, isComplete: Bool) throws(WebImageError) -> ImageProperties? {
        ImageProperties(format: .undefined, pixelSize: PixelSize(width: 8, height: 8))
    }

    func canEncode(_ format: ImageFormat) -> Bool { false }

    func makeAnimation(
        of data: Data, options: ImageDecodeOptions
    ) throws(WebImageError) -> any AnimatedImageProvider {
        let colours: [UInt8: Colour] = [82: .red, 71: .green, 66: .blue]
        return Lights(data.dropFirst(7).compactMap { colours[$0] })
    }

    func decode(_ data: Data, options: ImageDecodeOptions) throws(WebImageError) -> Image {
        try Image(animation: try makeAnimation(of: data, options: options))
    }

    func encode(_ image: Image, to format: ImageFormat, options: ImageEncodeOptions) throws(WebImageError) -> Data {
        throw WebImageError(.encodeFailed, stage: .encode, kind: .permanent, reason: "lights are not encoded")
    }
}
