import Testing
import WebImagePresentation
import WebImageTestSupport

/// The order of frames, and the ends of plays.
@MainActor
@Suite("Player: modes and loops")
struct PlaybackModeTests {
    private func shown(
        _ mode: AnimatedImagePlaybackMode, frameCount: Int = 4, loopCount: Int = 1, frames count: Int? = nil
    ) throws -> (frames: [Int], loops: [Int], isPlaying: Bool) {
        let stage = try PlayerStage(ScriptedAnimation(frameCount, loopCount: loopCount))
        stage.player.playbackMode = mode
        stage.start()
        stage.advance(by: .milliseconds(100 * (count ?? 100) - 50))
        return (stage.frames, stage.loops, stage.player.isPlaying)
    }

    @Test("PLY-3 reverse shows the last frame first, and the first one before the play ends")
    func reverse() throws {
        let played = try shown(.reverse)
        #expect(played.frames == [3, 2, 1, 0])
        #expect(played.loops == [1])
        #expect(!played.isPlaying)
    }

    @Test("PLY-3 bounce shows the ends once, and ends with the first frame")
    func bounce() throws {
        let played = try shown(.bounce)
        #expect(played.frames == [0, 1, 2, 3, 2, 1, 0])
        #expect(played.loops == [1])
    }

    @Test("PLY-3 a reversed bounce ends with the last frame")
    func reversedBounce() throws {
        let played = try shown(.reversedBounce)
        #expect(played.frames == [3, 2, 1, 0, 1, 2, 3])
        #expect(played.loops == [1])
    }

    @Test("PLY-3 PLY-10 a normal play counts a loop after its last frame")
    func normal() throws {
        let played = try shown(.normal, loopCount: 2)
        #expect(played.frames == [0, 1, 2, 3, 0, 1, 2, 3])
        #expect(played.loops == [1, 2])
        #expect(!played.isPlaying)
    }

    @Test("B20 two bounces share the frame between them")
    func twoBounces() throws {
        let played = try shown(.bounce, frameCount: 3, loopCount: 2)
        #expect(played.frames == [0, 1, 2, 1, 0, 1, 2, 1, 0])
        #expect(played.loops == [1, 2])
    }

    @Test("PLY-3 two frames play in all modes", arguments: AnimatedImagePlaybackMode.allCases)
    func twoFrames(_ mode: AnimatedImagePlaybackMode) throws {
        let expected: [AnimatedImagePlaybackMode: [Int]] = [
            .normal: [0, 1], .reverse: [1, 0], .bounce: [0, 1, 0], .reversedBounce: [1, 0, 1],
        ]
        #expect(try shown(mode, frameCount: 2).frames == expected[mode])
    }

    @Test("PLY-1 an endless animation goes on", arguments: AnimatedImagePlaybackMode.allCases)
    func endless(_ mode: AnimatedImagePlaybackMode) throws {
        let played = try shown(mode, loopCount: 0, frames: 50)
        #expect(played.isPlaying)
        #expect(played.frames.count == 50)
        #expect(!played.loops.isEmpty)
    }

    @Test("a loop count of 65,535 ends after as many plays")
    func manyLoops() throws {
        let stage = try PlayerStage(ScriptedAnimation(2, loopCount: 65_535, durations: [.milliseconds(500)]))
        stage.player.seekToFrame(at: 0, loopCount: 65_533)
        stage.start()
        stage.advance(by: .seconds(10))
        #expect(stage.loops == [65_534, 65_535])
        #expect(!stage.player.isPlaying)
    }

    @Test("PLY-3 a change of mode keeps the frame", arguments: AnimatedImagePlaybackMode.allCases)
    func changedMode(_ mode: AnimatedImagePlaybackMode) throws {
        let stage = try PlayerStage(ScriptedAnimation(5))
        stage.start()
        stage.advance(by: .milliseconds(250))
        #expect(stage.frames == [0, 1, 2])
        stage.player.playbackMode = mode
        stage.advance(by: .milliseconds(100))
        stage.decode()
        #expect(stage.frames.last == (mode == .reverse || mode == .reversedBounce ? 1 : 3))
    }

    @Test("PLY-1 the number of plays can be set, and counts from the beginning")
    func changedLoopCount() throws {
        let stage = try PlayerStage(ScriptedAnimation(3, loopCount: 5))
        #expect(stage.player.totalLoopCount == 5)
        #expect(stage.player.totalFrameCount == 3)
        stage.player.totalLoopCount = 1
        stage.start()
        stage.advance(by: .seconds(2))
        #expect(stage.loops == [1])
        stage.player.totalLoopCount = -3
        #expect(stage.player.totalLoopCount == 0)
    }

    @Test("an animation of less than two frames has no player", arguments: [-1, 0, 1])
    func tooFewFrames(_ count: Int) {
        #expect(AnimatedImagePlayer(ScriptedAnimation(count)) == nil)
    }
}
