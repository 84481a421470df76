import Testing
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation

/// Frames that are decoded late, and clocks that jump.
@MainActor
@Suite("Player: late frames")
struct LateFrameTests {
    @Test("PLY-8 A81 frames are never skipped, and a delay is not made up for")
    func neverSkip() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.clock.jump(by: .milliseconds(950))
        stage.player.update()
        #expect(stage.frames == [0, 1])
        stage.decode()
        stage.advance(by: .zero)
        #expect(stage.frames == [0, 1, 2], "the next duration at most is carried over")
        stage.advance(by: .milliseconds(99))
        #expect(stage.frames == [0, 1, 2])
    }

    @Test("with the clock kept, frames whose time has passed are skipped")
    func keepClock() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.lateFramePolicy = .keepClock
        stage.player.maxBufferSize = .max
        stage.start()
        stage.clock.jump(by: .milliseconds(450))
        stage.player.update()
        #expect(stage.frames == [0, 4])
        #expect(stage.player.statistics.skippedCount == 3)
        stage.advance(by: .milliseconds(50))
        #expect(stage.frames == [0, 4, 5])
    }

    @Test("with the clock kept, plays are counted while frames are skipped")
    func keepClockOverLoops() throws {
        let stage = try PlayerStage(ScriptedAnimation(3, loopCount: 2))
        stage.player.lateFramePolicy = .keepClock
        stage.player.maxBufferSize = .max
        stage.start()
        stage.clock.jump(by: .milliseconds(410))
        stage.player.update()
        #expect(stage.frames == [0, 1])
        #expect(stage.loops == [1])
        stage.clock.jump(by: .milliseconds(500))
        stage.player.update()
        #expect(stage.loops == [1, 2])
        #expect(stage.frames == [0, 1, 2])
        #expect(!stage.player.isPlaying)
    }

    @Test("PLY-9 a frame that is not decoded leaves the one before it, and shows as soon as it is")
    func missing() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.decodesAtOnce = false
        stage.player.maxBufferSize = 1
        stage.start()
        #expect(stage.frames.isEmpty)
        stage.jobs.runOne()
        stage.player.update()
        #expect(stage.frames == [0])
        stage.advance(by: .milliseconds(130))
        #expect(stage.frames == [0])
        stage.jobs.run()
        stage.player.update()
        #expect(stage.frames == [0, 1])
        #expect(stage.times.last == .milliseconds(130))
    }

    @Test("with the clock kept, the frame that is due is decoded next, not the ones that have passed")
    func dueFrame() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.lateFramePolicy = .keepClock
        stage.player.maxBufferSize = 1
        stage.start()
        stage.decodesAtOnce = false
        stage.advance(by: .milliseconds(100))
        // Frame 2 is being decoded for 250 ms.
        stage.clock.jump(by: .milliseconds(250))
        stage.decode()
        #expect(stage.frames == [0, 1, 2, 3] || stage.frames == [0, 1, 3])
        #expect(stage.animation.decoded.last == 4)
    }

    @Test("PLY-6 a frame that cannot be decoded is left out, its time passes, and it is said once")
    func failure() throws {
        let stage = try PlayerStage(ScriptedAnimation(4, failures: [1, 2]))
        stage.start()
        stage.advance(by: .milliseconds(850))
        #expect(stage.frames == [0, 3, 0, 3, 0])
        #expect(stage.times.map { Int($0 / .milliseconds(1)) } == [0, 300, 400, 700, 800])
        #expect(stage.animation.decoded.count { $0 == 1 } == 1, "it is not tried again")
    }

    @Test("PLY-6 a frame that failed for a reason that passes is tried again at the next play")
    func passingFailure() throws {
        let stage = try PlayerStage(ScriptedAnimation(4, failures: [3], passingFailures: [1, 2]))
        stage.start()
        stage.advance(by: .milliseconds(850))
        #expect(stage.frames == [0, 0, 1, 2, 0])
        #expect(stage.times.map { Int($0 / .milliseconds(1)) } == [0, 400, 500, 600, 800])
        #expect(stage.animation.decoded.count { $0 == 3 } == 1, "what is damaged is not tried again")
    }

    @Test("where no frame can be decoded, nothing is shown, and the player ends in time")
    func nothing() throws {
        let stage = try PlayerStage(ScriptedAnimation(4, loopCount: 1, failures: [0, 1, 2, 3]))
        stage.start()
        stage.advance(by: .seconds(1))
        #expect(stage.frames.isEmpty)
        #expect(stage.loops == [1])
        #expect(!stage.player.isPlaying)
    }

    @Test("a provider that blocks stops nothing but its frames")
    func blocked() throws {
        let stage = try PlayerStage(ScriptedAnimation(4))
        stage.decodesAtOnce = false
        stage.start()
        stage.advance(by: .seconds(60))
        #expect(stage.frames.isEmpty)
        stage.decode()
        #expect(stage.frames == [0])
    }

    @Test("a clock that jumps ahead is taken for a pause after a second, and one that runs back for none")
    func jumps() throws {
        let stage = try PlayerStage(ScriptedAnimation(100))
        stage.player.lateFramePolicy = .keepClock
        stage.player.maxBufferSize = .max
        stage.start()
        stage.clock.jump(by: .seconds(1_000_000))
        stage.player.update()
        #expect(stage.frames == [0, 10])
        stage.clock.jump(by: .seconds(-500_000))
        stage.player.update()
        #expect(stage.frames == [0, 10])
        stage.advance(by: .milliseconds(100))
        #expect(stage.frames == [0, 10, 11])
    }

    @Test("PLY-8 a duration of zero or below is a tenth of a second", arguments: [Duration.zero, .seconds(-5)])
    func noDuration(_ duration: Duration) throws {
        let stage = try PlayerStage(ScriptedAnimation(3, durations: [duration]))
        stage.start()
        stage.advance(by: .milliseconds(199))
        #expect(stage.frames == [0, 1])
    }

    @Test("a duration of 1 ms plays", arguments: [LateFramePolicy.neverSkip, .keepClock])
    func shortest(_ policy: LateFramePolicy) throws {
        let stage = try PlayerStage(ScriptedAnimation(3, durations: [.milliseconds(1)]))
        stage.player.lateFramePolicy = policy
        stage.start()
        stage.advance(by: .milliseconds(10))
        #expect(stage.frames == [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1])
    }

    @Test("S4-15 the last frame that has arrived stays, is no end, and playing goes on with the next one")
    func waiting() throws {
        let clock = ManualAnimationClock()
        let jobs = HeldJobs()
        let first = ScriptedAnimation(2, loopCount: 1)
        let pool = FramePool(first, frameByteCount: 16, queue: jobs.queue)
        let player = try #require(AnimatedImagePlayer(first, isComplete: false, clock: clock, pool: pool))
        var frames: [Int] = []
        player.frameHandler = { index, _ in frames.append(index) }
        player.loopHandler = { _ in frames.append(-1) }
        player.startPlaying()
        for _ in 0..<2 {
            jobs.run()
            player.update()
        }
        jobs.run()
        clock.advance(by: .seconds(20))
        #expect(frames == [0, 1])
        #expect(player.isPlaying)
        #expect(clock.pendingCount == 0)
        // As continuePlaying(with:isComplete:), with a queue of the test's.
        let second = ScriptedAnimation(4, loopCount: 1)
        player.update()
        player.pool = FramePool(second, frameByteCount: 16, queue: jobs.queue)
        player.state.grow(to: 4, isComplete: true)
        player.update()
        jobs.run()
        player.update()
        #expect(frames == [0, 1, 2], "its time has passed already")
        jobs.run()
        clock.advance(by: .milliseconds(250))
        #expect(frames == [0, 1, 2, 3, -1])
    }
}
