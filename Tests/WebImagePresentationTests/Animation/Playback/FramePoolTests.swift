import Synchronization
import Testing
import WebImagePixels
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImageCache
@testable import WebImageCore
@testable import WebImagePresentation
@testable import WebImageTestDoubles

/// The frames that players share, and their memory.
@MainActor
@Suite("Frame pool", .timeLimit(.minutes(5)))
struct FramePoolTests {
    @Test("S4-12 PLY-4 a long animation is never held as a whole by default")
    func window() throws {
        let stage = try PlayerStage(ScriptedAnimation(100))
        stage.start()
        for _ in 0..<250 {
            stage.advance(by: .milliseconds(100))
            #expect(stage.pool.heldCount <= 4)
        }
        #expect(stage.frames.count == 251)
        #expect(stage.animation.decoded.count >= 250)
    }

    @Test("PLY-4 a small animation is decoded once, a frame after the other")
    func small() throws {
        let stage = try PlayerStage(ScriptedAnimation(10), keptByteCount: 160)
        stage.start()
        #expect(stage.pool.heldCount <= 4, "no further ahead than any other")
        stage.advance(by: .seconds(10))
        #expect(stage.animation.decoded.sorted() == Array(0..<10))
        #expect(stage.pool.heldCount == 10)
        #expect(stage.budget.frameByteCount == 160)
    }

    @Test("PLY-4 a small animation whose player asks for the next frame only is not kept as a whole")
    func smallButLimited() throws {
        let stage = try PlayerStage(ScriptedAnimation(10), keptByteCount: 160)
        stage.player.maxBufferSize = 1
        stage.start()
        stage.advance(by: .seconds(10))
        #expect(stage.pool.heldCount <= 2)
    }

    @Test("PLY-4 an animation that is a byte larger is not kept as a whole")
    func larger() throws {
        let stage = try PlayerStage(ScriptedAnimation(10), keptByteCount: 159)
        stage.start()
        stage.advance(by: .seconds(10))
        #expect(stage.animation.decoded.count >= 100)
        #expect(stage.pool.heldCount <= 4)
    }

    @Test("FPL-3 once memory was short, a small animation is not kept as a whole any more")
    func smallUnderPressure() throws {
        let stage = try PlayerStage(ScriptedAnimation(10), keptByteCount: 160)
        stage.start()
        stage.advance(by: .seconds(2))
        #expect(stage.pool.heldCount == 10)
        stage.pool.relieve(.warning)
        #expect(stage.pool.heldCount == 2)
        stage.advance(by: .seconds(2))
        #expect(stage.pool.heldCount <= 4)
        #expect(stage.frames.count == 41)
    }

    @Test("PLY-4 one buffered frame", arguments: [1, 15])
    func smallest(_ size: Int) throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.maxBufferSize = size
        stage.start()
        stage.advance(by: .milliseconds(1050))
        #expect(stage.pool.heldCount <= 2)
        #expect(stage.frames.count == 11)
    }

    @Test("PLY-4 with all frames buffered, each is decoded once")
    func all() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.maxBufferSize = .max
        stage.start()
        stage.advance(by: .seconds(10))
        #expect(stage.animation.decoded.sorted() == Array(0..<10))
        #expect(stage.pool.heldCount == 10)
        #expect(stage.budget.frameByteCount == 160)
    }

    @Test("FPL-1 A86 players of one animation share its frames")
    func sharing() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        let other = try #require(AnimatedImagePlayer(stage.animation, clock: stage.clock, pool: stage.pool))
        var frames: [Int] = []
        other.frameHandler = { index, _ in frames.append(index) }
        stage.start()
        other.startPlaying()
        stage.decode()
        stage.advance(by: .milliseconds(850))
        #expect(frames == stage.frames)
        #expect(stage.animation.decoded.count <= 12)
    }

    @Test("FPL-1 the shared pool is that of the animation and of the transformer, as long as it lives")
    func identity() {
        let animation = ScriptedAnimation(3)
        let flipped = ImageFlippingTransformer(horizontal: true, vertical: false)
        let pool = FramePool.shared(for: animation, frameByteCount: 16, transformer: nil)
        #expect(FramePool.shared(for: animation, frameByteCount: 16, transformer: nil) === pool)
        #expect(FramePool.shared(for: animation, frameByteCount: 16, transformer: flipped) !== pool)
        #expect(FramePool.shared(for: ScriptedAnimation(3), frameByteCount: 16, transformer: nil) !== pool)
    }

    @Test("FPL-4 the buffer of each player is its own")
    func ownBuffers() throws {
        let stage = try PlayerStage(ScriptedAnimation(40))
        let other = try #require(AnimatedImagePlayer(stage.animation, clock: stage.clock, pool: stage.pool))
        stage.player.maxBufferSize = 10 * 16
        other.maxBufferSize = 1
        stage.start()
        #expect(stage.pool.heldCount == 11)
        other.seekToFrame(at: 30)
        stage.decode()
        #expect(stage.pool.heldCount >= 11)
        stage.player.maxBufferSize = 1
        stage.decode()
        #expect(stage.pool.heldCount <= 4)
    }

    @Test("FPL-2 one frame is decoded at a time")
    func serial() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.decodesAtOnce = false
        stage.start()
        #expect(stage.jobs.count == 1)
        stage.player.update()
        #expect(stage.jobs.count == 1)
    }

    @Test("FPL-3 memory pressure leaves the frame that is shown and the next one")
    func pressure() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.player.maxBufferSize = .max
        stage.start()
        #expect(stage.pool.heldCount == 10)
        stage.pool.giveBack(1)
        #expect(stage.pool.heldCount == 2)
        #expect(stage.budget.frameByteCount == 32)
        stage.advance(by: .milliseconds(550))
        #expect(stage.frames == [0, 1, 2, 3, 4, 5])
    }

    @Test("A88 a stop keeps the buffer, and clearing empties it")
    func clearing() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.start()
        stage.advance(by: .milliseconds(250))
        stage.player.pausePlaying()
        #expect(stage.pool.heldCount > 0)
        #expect(stage.player.currentFrameIndex == 2)
        stage.jobs.run()
        #expect(stage.pool.heldCount > 0)
        stage.player.clearFrameBuffer()
        #expect(stage.pool.heldCount == 0)
        #expect(stage.budget.frameByteCount == 0)
    }

    @Test("FPL-3 the system's memory warnings reach the pool")
    func warnings() throws {
        let pressure = MemoryPressure(source: NoMemorySignals())
        let (animation, jobs) = (ScriptedAnimation(10), HeldJobs())
        let pool = FramePool(
            animation, frameByteCount: 16, budget: MemoryBudget(byteLimit: 1000), queue: jobs.queue, pressure: pressure)
        let player = try #require(AnimatedImagePlayer(animation, clock: ManualAnimationClock(), pool: pool))
        player.maxBufferSize = .max
        player.startPlaying()
        jobs.run()
        player.update()
        jobs.run()
        #expect(pool.heldCount == 10)
        pressure.report(.warning)
        #expect(pool.heldCount == 2)
        pressure.report(.critical)
        #expect(pool.heldCount == 1)
    }

    @Test("frames that no player needs make room for pictures")
    func idleFrames() throws {
        let budget = MemoryBudget(byteLimit: 160)
        let stage = try PlayerStage(ScriptedAnimation(10), budget: budget)
        stage.player.maxBufferSize = .max
        stage.start()
        #expect(budget.frameByteCount == 160)
        let cache = MemoryCache(limits: MemoryCacheLimits(), pressure: nil, budget: budget)
        cache.store(try .sample(), for: CacheKey("a"), cost: 50)
        #expect(cache.statistics.count == 0, "those of a player that plays stay")
        stage.player.pausePlaying()
        cache.store(try .sample(), for: CacheKey("a"), cost: 50)
        #expect(cache.statistics.count == 1)
        #expect(budget.usedByteCount <= 160)
    }

    @Test("A88 a frame that is decoded while the buffer is cleared is not kept")
    func clearedWhileDecoding() throws {
        let stage = try PlayerStage(ScriptedAnimation(10))
        stage.decodesAtOnce = false
        stage.start()
        stage.player.pausePlaying()
        stage.player.clearFrameBuffer()
        stage.jobs.run()
        #expect(stage.pool.heldCount == 0 && stage.budget.frameByteCount == 0)
    }

    @Test("the memory of a pool is given back with it")
    func end() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        try {
            let stage = try PlayerStage(ScriptedAnimation(10), budget: budget)
            stage.start()
            #expect(budget.frameByteCount > 0)
        }()
        #expect(budget.frameByteCount == 0)
    }

    @Test("without room the frame stays, and playing goes on when there is some")
    func noRoom() throws {
        let budget = MemoryBudget(byteLimit: 15)
        let stage = try PlayerStage(ScriptedAnimation(10), budget: budget)
        stage.start()
        stage.advance(by: .seconds(2))
        #expect(stage.frames.isEmpty)
        #expect(stage.animation.decoded.isEmpty)
        budget.byteLimit = 48
        stage.advance(by: .milliseconds(450))
        #expect(stage.frames.count >= 4)
        #expect(budget.usedByteCount <= 48)
    }

    @Test("frames of another size than expected are charged for what they are")
    func otherSizes() throws {
        let budget = MemoryBudget(byteLimit: 1000)
        let animation = ScriptedAnimation(4)
        let jobs = HeldJobs()
        for expected in [1, 16, 500] {
            let pool = FramePool(animation, frameByteCount: expected, budget: budget, queue: jobs.queue)
            let owner = HeldJobs()
            let sequence = FrameSequence(mode: .normal, frameCount: 4)
            pool.setWindow(
                FrameWindow(sequence: sequence, place: 0, count: 2, shown: nil, missing: nil),
                of: ObjectIdentifier(owner))
            jobs.run()
            #expect(budget.frameByteCount == 32)
            pool.setWindow(nil, of: ObjectIdentifier(owner))
            pool.clear()
            #expect(budget.frameByteCount == 0)
        }
    }

    @Test("200 players stay within the budget at every step, for twenty simulated minutes")
    func manyPlayers() throws {
        let budget = MemoryBudget(byteLimit: 200 * 16 * 4)
        var random = SplitMix(state: 7)
        let stages = try (0..<200).map { number in
            let durations = (0..<3).map { _ in Duration.milliseconds(Int.random(in: 500...3000, using: &random)) }
            return try PlayerStage(ScriptedAnimation(5 + number % 40, durations: durations), budget: budget)
        }
        for stage in stages {
            stage.player.maxBufferSize = [0, 1, 64, .max].randomElement(using: &random) ?? 0
            stage.start()
        }
        for second in stride(from: 0, to: 1200, by: 6) {
            for stage in stages.shuffled(using: &random).prefix(40) {
                stage.advance(by: .seconds(second) - stage.clock.now)
                #expect(budget.usedByteCount <= budget.byteLimit)
            }
        }
        #expect(stages.allSatisfy { $0.frames.count > 100 })
        #expect(budget.frameByteCount == stages.reduce(0) { $0 + $1.pool.heldByteCount })
    }
}

/// A source that reports nothing.
private struct NoMemorySignals: MemoryPressureSource {
    func watch(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) -> (any CancellableTask)? { nil }
}
