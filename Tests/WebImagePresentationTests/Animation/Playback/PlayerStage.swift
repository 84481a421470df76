import WebImageCore
import WebImageTestLoads
import WebImageTestSupport

@testable import WebImagePresentation
@testable import WebImageTestDoubles

/// A player with a clock and a decode queue of the test's, and what its handlers saw.
@MainActor
final class PlayerStage {
    let clock = ManualAnimationClock()
    let jobs = HeldJobs()
    let budget: MemoryBudget
    let animation: ScriptedAnimation
    let pool: FramePool
    let player: AnimatedImagePlayer
    private(set) var frames: [Int] = []
    private(set) var times: [Duration] = []
    private(set) var loops: [Int] = []
    /// Whether frames are decoded as soon as they are asked for.
    var decodesAtOnce = true

    /// - Parameter keptByteCount: An animation that takes no more is kept as a whole.
    init(
        _ animation: ScriptedAnimation, budget: MemoryBudget = MemoryBudget(byteLimit: 1 << 30), keptByteCount: Int = 0
    ) throws {
        self.animation = animation
        self.budget = budget
        pool = FramePool(
            animation, frameByteCount: animation.frameByteCount, budget: budget, queue: jobs.queue,
            keptByteCount: keptByteCount)
        guard let player = AnimatedImagePlayer(animation, clock: clock, pool: pool) else {
            throw TestFailure(text: "no player")
        }
        self.player = player
        player.frameHandler = { [unowned self] index, frame in
            frames.append(index)
            times.append(clock.now)
            if frame.scriptedIndex != index % 256 { frames.append(-frame.scriptedIndex) }
        }
        player.loopHandler = { [unowned self] in loops.append($0) }
    }

    /// Decodes what was asked for, and lets the player see it.
    func decode() {
        while jobs.count > 0 {
            jobs.run()
            player.update()
        }
    }

    func start() {
        player.startPlaying()
        if decodesAtOnce { decode() }
    }

    /// Lets time pass in steps, which end at each due frame.
    func advance(by time: Duration) {
        let end = clock.now + time
        while let next = clock.nextTime, next <= end {
            clock.advance(by: max(.zero, next - clock.now))
            if decodesAtOnce { decode() }
        }
        clock.advance(by: max(.zero, end - clock.now))
    }
}
