import Testing
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation

/// Starting, stopping and seeking, on a clock that the test sets.
@MainActor
@Suite("Player", .timeLimit(.minutes(5)))
struct PlayerTests {
    @Test("PLY-8 A80 the first frame shows at once, and each for its duration")
    func times() throws {
        let stage = try PlayerStage(
            ScriptedAnimation(3, durations: [.milliseconds(30), .milliseconds(70), .milliseconds(200)]))
        stage.start()
        stage.advance(by: .milliseconds(330))
        #expect(stage.frames == [0, 1, 2, 0, 1])
        #expect(stage.times.map { Int($0 / .milliseconds(1)) } == [0, 30, 100, 300, 330])
    }

    @Test("PLY-2 durations are divided by the rate, and a change of it counts from now on")
    func rate() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.playbackRate = 2
        stage.start()
        stage.advance(by: .milliseconds(75))
        #expect(stage.frames == [0, 1])
        // Half of the frame has passed; the other half takes 100 ms.
        stage.player.playbackRate = 0.5
        stage.advance(by: .milliseconds(99))
        #expect(stage.frames == [0, 1])
        stage.advance(by: .milliseconds(1))
        #expect(stage.frames == [0, 1, 2])
    }

    @Test(
        "B50 a rate of zero, below, or that is no number keeps the frame", arguments: [0, -1, -Double.infinity, .nan])
    func standingRate(_ rate: Double) throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.advance(by: .milliseconds(250))
        stage.player.playbackRate = rate
        stage.advance(by: .seconds(10))
        #expect(stage.player.currentFrameIndex == 2)
        #expect(stage.clock.pendingCount == 0)
        stage.player.playbackRate = 1
        stage.advance(by: .milliseconds(50))
        #expect(stage.player.currentFrameIndex == 3)
    }

    @Test("A85 a pause does not count as time")
    func pause() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.advance(by: .milliseconds(150))
        stage.player.pausePlaying()
        #expect(!stage.player.isPlaying)
        #expect(stage.clock.pendingCount == 0)
        stage.advance(by: .seconds(100))
        #expect(stage.player.currentFrameIndex == 1)
        stage.start()
        stage.advance(by: .milliseconds(99))
        #expect(stage.frames == [0, 1])
        stage.advance(by: .milliseconds(1))
        #expect(stage.frames == [0, 1, 2])
    }

    @Test("PLY-7 A83 a stop goes to the beginning silently, and the frame stays")
    func stop() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.advance(by: .milliseconds(350))
        stage.player.stopPlaying()
        #expect(stage.frames == [0, 1, 2, 3])
        #expect(stage.player.currentFrameIndex == 0)
        #expect(stage.player.currentLoopCount == 0)
        #expect(stage.player.currentFrame?.scriptedIndex == 3)
        stage.start()
        #expect(stage.frames == [0, 1, 2, 3, 0])
    }

    @Test("PLY-7 A89 each seek calls the handler once with a real frame, while paused, too")
    func seek() throws {
        let stage = try PlayerStage(ScriptedAnimation(5))
        for index in [0, 3, 1, 4, 2, 2] {
            stage.player.seekToFrame(at: index, loopCount: index)
            stage.decode()
            #expect(stage.player.currentFrameIndex == index)
            #expect(stage.player.currentLoopCount == index)
        }
        #expect(stage.frames == [0, 3, 1, 4, 2, 2])
        #expect(!stage.player.isPlaying)
        for index in [-1, 5, .max] { stage.player.seekToFrame(at: index) }
        stage.decode()
        #expect(stage.frames.count == 6)
    }

    @Test("a later seek replaces one under way")
    func replacedSeek() throws {
        let stage = try PlayerStage(ScriptedAnimation(5))
        stage.player.seekToFrame(at: 3)
        stage.player.seekToFrame(at: 1)
        stage.decode()
        #expect(stage.frames == [1])
    }

    @Test("PLY-7 a seek while playing goes on from there")
    func seekWhilePlaying() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.advance(by: .milliseconds(150))
        stage.player.seekToFrame(at: 7)
        stage.decode()
        stage.advance(by: .milliseconds(200))
        #expect(stage.frames == [0, 1, 7, 8, 9])
    }

    @Test("PLY-10 after the last play the last frame stays, and the next start begins anew")
    func finished() throws {
        let stage = try PlayerStage(ScriptedAnimation(3, loopCount: 1))
        stage.start()
        stage.advance(by: .seconds(1))
        #expect(!stage.player.isPlaying)
        #expect(stage.player.currentFrame?.scriptedIndex == 2)
        #expect(stage.player.currentFrameIndex == 0)
        #expect(stage.clock.pendingCount == 0)
        stage.start()
        #expect(stage.frames == [0, 1, 2, 0])
    }

    @Test("A84 the poster is current before the start, without a call")
    func poster() throws {
        let animation = ScriptedAnimation(3)
        let clock = ManualAnimationClock()
        let player = try #require(
            AnimatedImagePlayer(animation, poster: try animation.frame(at: 0), clock: clock))
        var frames: [Int] = []
        player.frameHandler = { index, _ in frames.append(index) }
        #expect(player.currentFrame?.scriptedIndex == 0)
        #expect(frames.isEmpty)
        player.startPlaying()
        #expect(frames == [0])
    }

    @Test("A82 more frames keep the current one")
    func growth() throws {
        let stage = try PlayerStage(ScriptedAnimation(3))
        stage.start()
        stage.advance(by: .milliseconds(150))
        stage.player.continuePlaying(with: ScriptedAnimation(6), isComplete: false)
        #expect(stage.player.currentFrameIndex == 1)
        #expect(stage.player.totalFrameCount == 6)
        stage.player.continuePlaying(with: ScriptedAnimation(2), isComplete: true)
        #expect(stage.player.totalFrameCount == 6)
    }

    @Test("AIV-16 A87 a released player stops")
    func released() throws {
        let animation = ScriptedAnimation(3)
        let clock = ManualAnimationClock()
        let jobs = HeldJobs()
        let pool = FramePool(animation, frameByteCount: 16, queue: jobs.queue)
        var player = AnimatedImagePlayer(animation, clock: clock, pool: pool)
        player?.startPlaying()
        jobs.run()
        player?.update()
        #expect(clock.pendingCount == 1)
        player = nil
        #expect(clock.pendingCount == 0)
    }

    @Test("a frame that is decoded wakes its player, with real queues")
    func wakes() async throws {
        let animation = ScriptedAnimation(5, loopCount: 1, durations: [.milliseconds(20)])
        let player = try #require(AnimatedImagePlayer(animation))
        var indices: [Int] = []
        player.frameHandler = { index, _ in indices.append(index) }
        let updates = player.updates
        player.startPlaying()
        for await update in updates where !update.isPlaying && !indices.isEmpty { break }
        #expect(indices == [0, 1, 2, 3, 4])
    }

    @Test("S4-15 the parts of an animation play on with real queues")
    func growsOnItsOwn() async throws {
        let player = try #require(
            AnimatedImagePlayer(ScriptedAnimation(2, loopCount: 1, durations: [.milliseconds(20)]), isComplete: false))
        let updates = player.updates
        player.startPlaying()
        for await update in updates where update.frameIndex == 1 { break }
        player.continuePlaying(
            with: ScriptedAnimation(4, loopCount: 1, durations: [.milliseconds(20)]), isComplete: true)
        for await update in player.updates where update.frameIndex == 3 || !update.isPlaying { break }
        #expect(player.currentFrame?.scriptedIndex == 3)
    }

    @Test("PLY-1 starts, pauses, stops and seeks are observed, too")
    func observedCalls() async throws {
        let stage = try PlayerStage(ScriptedAnimation(3))
        stage.start()
        stage.advance(by: .milliseconds(150))
        stage.player.pausePlaying()
        var updates = stage.player.updates.makeAsyncIterator()
        #expect(await updates.next()?.isPlaying == false)
        stage.player.startPlaying()
        #expect(await updates.next()?.isPlaying == true)
        stage.player.stopPlaying()
        let stopped = await updates.next()
        #expect(stopped?.isPlaying == false && stopped?.frameIndex == 0)
    }

    @Test(
        "values beyond all sense are bounded",
        arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e300, .infinity])
    func extremes(_ rate: Double) throws {
        let stage = try PlayerStage(ScriptedAnimation(3, durations: [.seconds(Int64.max), .nanoseconds(1)]))
        stage.player.playbackRate = rate
        stage.player.seekToFrame(at: 1, loopCount: .max)
        stage.start()
        stage.advance(by: .seconds(2))
        #expect((0.001...1000).contains(stage.player.playbackRate))
        #expect(stage.player.currentLoopCount > 0)
    }

    @Test("views in step: one that goes starts no other again, and one that comes back shows the current frame")
    func viewers() throws {
        let stage = try PlayerStage(ScriptedAnimation(3, loopCount: 1))
        let (first, second) = (HeldJobs(), HeldJobs())
        var shown: [[Int]] = [[], []]
        for (number, viewer) in [first, second].enumerated() {
            stage.player.addViewer(ObjectIdentifier(viewer)) { shown[number].append($0.scriptedIndex) }
            stage.player.setPlaying(true, for: ObjectIdentifier(viewer))
        }
        stage.decode()
        stage.advance(by: .milliseconds(150))
        stage.player.setPlaying(false, for: ObjectIdentifier(second))
        stage.advance(by: .milliseconds(100))
        stage.player.setPlaying(true, for: ObjectIdentifier(second))
        #expect(shown == [[0, 1, 2], [0, 1, 2]])
        stage.advance(by: .seconds(1))
        #expect(!stage.player.isPlaying && stage.player.hasEnded)
        stage.player.removeViewer(ObjectIdentifier(second))
        #expect(!stage.player.isPlaying, "it has ended")
        stage.player.setPlaying(false, for: ObjectIdentifier(first))
        stage.player.setPlaying(true, for: ObjectIdentifier(first))
        #expect(stage.player.isPlaying, "seen again, it begins anew")
    }

    @Test("a handler may stop, seek and start the player", arguments: 0..<3)
    func reentrance(_ call: Int) throws {
        let stage = try PlayerStage(ScriptedAnimation(4, loopCount: 1))
        var count = 0
        stage.player.loopHandler = { [player = Unowned(stage.player)] _ in
            count += 1
            guard count == 1 else { return }
            switch call {
            case 0: player.value.stopPlaying()
            case 1: player.value.seekToFrame(at: 2)
            default:
                player.value.stopPlaying()
                player.value.startPlaying()
            }
        }
        stage.start()
        stage.advance(by: .seconds(3))
        stage.decode()
        stage.advance(by: .seconds(3))
        let expected = [[0, 1, 2, 3], [0, 1, 2, 3, 2, 3], [0, 1, 2, 3, 0, 1, 2, 3]]
        #expect(stage.frames == expected[call])
        #expect(!stage.player.isPlaying)
    }

    @Test("PLY-1 frames and loops can be observed, and a slow reader gets the latest")
    func updates() async throws {
        let stage = try PlayerStage(ScriptedAnimation(3, loopCount: 2))
        var updates = stage.player.updates.makeAsyncIterator()
        #expect(await updates.next()?.isPlaying == false)
        stage.start()
        #expect(await updates.next()?.frameIndex == 0)
        stage.advance(by: .milliseconds(450))
        let latest = await updates.next()
        #expect(latest?.frameIndex == 1)
        #expect(latest?.loopCount == 1)
        #expect(latest?.frame?.scriptedIndex == 1)
    }
}

/// A reference that does not retain.
private struct Unowned<Object: AnyObject> {
    unowned let value: Object
    init(_ value: Object) { self.value = value }
}
