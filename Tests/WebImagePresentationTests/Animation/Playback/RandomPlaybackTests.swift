import Testing
import WebImageCore
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImageCache
@testable import WebImagePresentation
@testable import WebImageTestDoubles

/// Random schedules of calls, late decodes, clocks that jump and memory pressure, checked against the rules. The argument
/// of a failed test is its seed.
@MainActor
@Suite("Player: random schedules", .timeLimit(.minutes(5)))
struct RandomPlaybackTests {
    @Test(
        "whatever happens, frames are those of their index, plays are counted up, and memory stays bounded",
        arguments: 0..<300)
    func schedule(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        let budget = MemoryBudget(byteLimit: 16 * Int.random(in: 1...12, using: &random))
        let walk = try PlaybackWalk(budget: budget, using: &random)
        for _ in 0..<120 { try walk.step(using: &random) }
        walk.settle()
    }

    @Test("what was played is released, with its memory")
    func release() throws {
        var random = SplitMix(state: 1)
        let budget = MemoryBudget(byteLimit: 160)
        weak var player: AnimatedImagePlayer?
        try {
            let walk = try PlaybackWalk(budget: budget, using: &random)
            for _ in 0..<500 { try walk.step(using: &random) }
            player = walk.stage.player
        }()
        #expect(player == nil)
        #expect(budget.usedByteCount == 0)
    }
}

/// A walk through the calls of a player.
@MainActor
private final class PlaybackWalk {
    let stage: PlayerStage
    private let cache: MemoryCache

    init(budget: MemoryBudget, using random: inout SplitMix) throws {
        let count = Int.random(in: 2...9, using: &random)
        let durations = (0..<3).map { _ in Duration.milliseconds(Int.random(in: 1...200, using: &random)) }
        let failures = Set((0..<2).map { _ in Int.random(in: 0..<30, using: &random) })
        stage = try PlayerStage(
            ScriptedAnimation(
                count, loopCount: Int.random(in: 0...4, using: &random), durations: durations, failures: failures),
            budget: budget)
        stage.decodesAtOnce = false
        cache = MemoryCache(limits: MemoryCacheLimits(), pressure: nil, budget: budget)
    }

    func step(using random: inout SplitMix) throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: stage.player.startPlaying()
        case 1: stage.player.pausePlaying()
        case 2:
            stage.player.stopPlaying()
            #expect(stage.player.currentFrameIndex == 0 && stage.player.currentLoopCount == 0)
        case 3:
            stage.player.seekToFrame(
                at: Int.random(in: -1...9, using: &random), loopCount: Int.random(in: 0...3, using: &random))
        case 4: stage.player.playbackRate = [0, 0.5, 1, 3, 1000, .nan].randomElement(using: &random) ?? 1
        case 5: stage.player.playbackMode = AnimatedImagePlaybackMode.allCases.randomElement(using: &random) ?? .normal
        case 6: stage.player.lateFramePolicy = Bool.random(using: &random) ? .keepClock : .neverSkip
        case 7: stage.player.maxBufferSize = [0, 1, 40, .max].randomElement(using: &random) ?? 0
        case 8: stage.pool.giveBack(.max)
        case 9: stage.player.clearFrameBuffer()
        case 10: cache.store(try .sample(), for: CacheKey("\(stage.clock.now)"), cost: 8)
        case 11: stage.clock.jump(by: .milliseconds(Int.random(in: -500...3000, using: &random)))
        case 12: stage.jobs.runOne()
        default:
            stage.jobs.run()
            stage.player.update()
            stage.clock.advance(by: .milliseconds(Int.random(in: 0...150, using: &random)))
        }
        check()
    }

    /// Lets everything come to rest.
    func settle() {
        stage.player.playbackRate = 1
        stage.player.totalLoopCount = 1
        stage.decodesAtOnce = true
        stage.player.startPlaying()
        for _ in 0..<100 {
            stage.decode()
            stage.advance(by: .milliseconds(100))
        }
        check()
        let isStarved = stage.budget.byteLimit - stage.budget.pictureByteCount < 16 * 2
        #expect(!stage.player.isPlaying || isStarved, "a single play ends")
        stage.player.stopPlaying()
        #expect(stage.clock.pendingCount == 0)
    }

    private func check() {
        let player = stage.player
        #expect((0..<player.totalFrameCount).contains(player.currentFrameIndex))
        #expect(stage.frames.allSatisfy { $0 >= 0 }, "each frame is that of its index")
        #expect(stage.budget.usedByteCount <= stage.budget.byteLimit)
        #expect(stage.budget.frameByteCount >= stage.pool.heldByteCount)
        #expect(stage.clock.pendingCount <= 1)
        #expect(stage.loops.allSatisfy { $0 > 0 })
        if !player.isPlaying, !player.isSeeking { #expect(stage.clock.pendingCount == 0) }
    }
}
