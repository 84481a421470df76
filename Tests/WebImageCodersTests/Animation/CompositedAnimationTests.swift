import Dispatch
import Testing
import WebImageCore
import WebImageTestSupport
import WebImageTesting

@testable import WebImageCoders
@testable import WebImageTestDoubles

@Suite("Composited animations", .timeLimit(.minutes(5)))
struct CompositedAnimationTests {
    @Test("COD-3 playing forward decodes one frame for each shown one, round and round")
    func forward() throws {
        let source = ScriptedFrameSource.plain(12)
        let animation = try source.makeAnimation()
        for _ in 0..<3 {
            for index in 0..<12 {
                _ = try animation.frame(at: index)
                #expect(source.journal.take() == [index])
            }
        }
        #expect(animation.cursorCount == 1)
    }

    @Test("BCO-15 frames are decoded on request, and again on the next request")
    func onDemand() throws {
        let source = ScriptedFrameSource.plain(3)
        let animation = try source.makeAnimation()
        #expect(source.journal.take().isEmpty)
        let frames = try (0..<3).map { try animation.frame(at: $0).bytes }
        #expect(source.journal.take() == [0, 1, 2])
        #expect(try animation.frame(at: 0).bytes == frames[0])
        #expect(source.journal.take() == [0])
        #expect(try animation.frame(at: 1).bytes == frames[1])
        #expect(source.journal.take() == [1])
    }

    @Test("a frame that is requested again is not decoded again while it is the last")
    func again() throws {
        let source = ScriptedFrameSource.plain(3)
        let animation = try source.makeAnimation()
        let first = try animation.frame(at: 0).bytes
        #expect(try animation.frame(at: 0).bytes == first)
        #expect(source.journal.take() == [0])
    }

    @Test("COD-3 any other order begins at the frame that depends on none")
    func keyFrames() throws {
        var source = ScriptedFrameSource.plain(10)
        source.frames[6].left = 0
        source.frames[6].top = 0
        source.frames[6].size = source.canvasSize
        source.frames[6].isOpaque = true
        let animation = try source.makeAnimation()
        _ = try animation.frame(at: 8)
        #expect(source.journal.take() == [6, 7, 8])
        _ = try animation.frame(at: 7)
        #expect(source.journal.take() == [6, 7])
        _ = try animation.frame(at: 4)
        #expect(source.journal.take() == [0, 1, 2, 3, 4])
    }

    @Test("frames that leave nothing on the canvas are skipped")
    func traceless() throws {
        var source = ScriptedFrameSource.plain(6)
        source.frames[2].disposal = .previous
        source.frames[3].disposal = .background
        let animation = try source.makeAnimation()
        _ = try animation.frame(at: 5)
        #expect(source.journal.take() == [0, 1, 4, 5])
    }

    @Test("a damaged frame is an error, and is left out of those after it")
    func damaged() throws {
        var source = ScriptedFrameSource.plain(4)
        source.damaged = [1]
        let animation = try source.makeAnimation()
        _ = try animation.frame(at: 0)
        #expect(throws: WebImageError.self) { try animation.frame(at: 1) }
        for index in [2, 3, 2] {
            let bitmap = try animation.frame(at: index)
            #expect(bitmap.pixel(0, 0) == [1, 0, 0, 255])
            #expect(bitmap.pixel(1, 0) == [0, 0, 0, 0])
            #expect(bitmap.pixel(2, 0) == [3, 0, 0, 255])
        }
    }

    @Test("BCO-11 a missing frame is a clear error")
    func outside() throws {
        let animation = try ScriptedFrameSource.plain(3).makeAnimation()
        for index in [-1, 3, Int.max] {
            let error = #expect(throws: WebImageError.self) { try animation.frame(at: index) }
            #expect(error?.reason == "there is no frame \(index): 3 are there, and the first is frame 0")
            #expect(animation.duration(at: index) == .zero)
        }
    }

    @Test("frames of every kind, in every order, follow the rules", arguments: 0..<40 as Range<UInt64>)
    func randomOrders(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let source = RandomFrames.make(&generator)
        let expected = RandomFrames.compose(source)
        let animation = try source.makeAnimation()
        for index in source.frames.indices { #expect(try animation.frame(at: index).bytes == expected[index]) }
        for _ in 0..<30 {
            let index = Int.random(in: source.frames.indices, using: &generator)
            #expect(try animation.frame(at: index).bytes == expected[index], "frame \(index)")
        }
    }

    @Test("COD-3 two threads at two frames do not wait for each other, and get their frames")
    func threads() async throws {
        let (entered, goesOn) = (Gate(), Gate())
        let journal = ScriptedFrameSource.Journal {
            guard $0 == 2 else { return }
            entered.open()
            goesOn.waitBlocking()
        }
        let source = ScriptedFrameSource.plain(8, journal: journal)
        let animation = try source.makeAnimation()
        // The first thread is held in the middle of its frame …
        async let slow = withCheckedContinuation { (done: CheckedContinuation<[UInt8]?, Never>) in
            DispatchQueue.global().async { done.resume(returning: try? animation.frame(at: 2).bytes) }
        }
        try await entered.wait()
        // … while this one decodes others.
        #expect(try animation.frame(at: 1).pixel(1, 0) == [2, 0, 0, 255])
        goesOn.open()
        #expect(await slow == RandomFrames.compose(source)[2])
        #expect(animation.cursorCount == 2)
    }

    @Test("a picture does not keep the canvas of its decode, nor for long that of its playback")
    func memory() throws {
        let source = ScriptedFrameSource.plain(4)
        let animation = try source.makeAnimation()
        _ = try animation.makeImage(of: .gif, options: ImageDecodeOptions())
        #expect(animation.cursors.idleCount == 0)
        _ = try animation.frame(at: 1)
        animation.cursors.dropIdle(at: .now)
        #expect(animation.cursors.idleCount == 1)
        // The canvas, the copy for restored frames, and the buffer for blended ones.
        #expect(animation.workingByteCount == 16 * 12)
        animation.cursors.dropIdle(at: .now + .seconds(6))
        #expect(animation.cursors.idleCount == 0 && animation.workingByteCount == 0)
        #expect(try animation.frame(at: 2).bytes == RandomFrames.compose(source)[2])
    }

    @Test("frames that take too many pixels together are not decoded ahead")
    func preloadingLimit() throws {
        var options = ImageDecodeOptions()
        options.limits.maximumPixelCount = 16 * 4
        let many = try ScriptedFrameSource.plain(5).makeAnimation(options)
        many.preloadAllFrames()
        #expect(!many.isAllFramesLoaded)
        let few = try ScriptedFrameSource.plain(4).makeAnimation(options)
        few.preloadAllFrames()
        #expect(few.isAllFramesLoaded)
    }

    @Test("frames have the size of a thumbnail")
    func thumbnails() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 2, height: 2)
        let animation = try ScriptedFrameSource.plain(3).makeAnimation(options)
        for index in 0..<3 { #expect(try animation.frame(at: index).size == PixelSize(width: 2, height: 2)) }
    }

    @Test("a limit of bytes is for all frames together")
    func limitBytes() throws {
        var options = ImageDecodeOptions()
        options.scaleDownLimitBytes = 4 * 4 * 4
        let animation = try ScriptedFrameSource.plain(4).makeAnimation(options)
        #expect(try animation.frame(at: 3).size == PixelSize(width: 2, height: 2))
    }

    @Test("a canvas above the limit is refused, thumbnail or not")
    func limits() throws {
        var options = ImageDecodeOptions()
        options.thumbnailPixelSize = PixelSize(width: 1, height: 1)
        options.limits.maximumPixelCount = 15
        let error = #expect(throws: WebImageError.self) { try ScriptedFrameSource.plain(2).makeAnimation(options) }
        #expect(error?.code == .limitExceeded)
    }

    @Test(
        "ANI-6 MEM-3 MET-6 A35 all frames can be decoded ahead, and released; their bytes are counted while they exist"
    )
    func preloading() throws {
        let source = ScriptedFrameSource.plain(5)
        let animation = try source.makeAnimation()
        let image = try Image(animation: animation)
        #expect(image.memoryCost == 64)
        animation.preloadAllFrames()
        _ = source.journal.take()
        #expect(animation.isAllFramesLoaded)
        #expect(image.memoryCost == 5 * 64)
        #expect(try animation.frame(at: 3) === animation.frame(at: 3))
        #expect(source.journal.take() == [])
        animation.unloadAllFrames()
        #expect(!animation.isAllFramesLoaded)
        #expect(image.memoryCost == 64)
        _ = try animation.frame(at: 1)
        #expect(source.journal.take() == [0, 1])
    }

    @Test(
        "A35 MET-2 MET-6 MEM-3 equal frames are frames of their own: each is counted, and each costs its pixels"
    )
    func equalFrames() throws {
        var file = GIFBuilder(width: 4, height: 4)
        for _ in 0..<3 { file.appendFrame(width: 4, height: 4, indices: [UInt8](repeating: 1, count: 16)) }
        file.appendTrailer()
        let image = try GIFCoder().decode(file.data, options: .storedPixels)
        #expect(image.metadata.frameCount == 3 && image.memoryCost == 64)
        image.animation?.preloadAllFrames()
        #expect(image.memoryCost == 3 * 64)
        let still = try GIFCoder().decode(Fixtures.data("palette.gif"), options: .storedPixels)
        #expect(still.metadata.frameCount == 1 && still.memoryCost == still.bitmap.byteCount)
    }

    @Test(
        "BCO-8 A57 delays under 11 ms are 100 ms",
        arguments: [(0, 100), (10, 100), (11, 11), (20, 20), (70, 70)])
    func durations(milliseconds: Int, played: Int) throws {
        #expect(FrameDuration.played(fromMilliseconds: milliseconds) == .milliseconds(played))
        var source = ScriptedFrameSource.plain(2)
        source.frames[1].duration = milliseconds
        #expect(try source.makeAnimation().duration(at: 1) == .milliseconds(played))
    }

    @Test("durations in a file never drift from the requested ones")
    func fileDurations() {
        let thirds = FrameDuration.wholeMilliseconds(of: [Duration](repeating: .seconds(1) / 3, count: 300))
        #expect(thirds.reduce(0, +) == 100_000)
        #expect(Set(thirds) == [333, 334])
    }
}
