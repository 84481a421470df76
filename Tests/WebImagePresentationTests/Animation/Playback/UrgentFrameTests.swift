import Synchronization
import Testing
import WebImageCore
import WebImageTestSupport

@testable import WebImagePresentation

/// The order in which frames of several animations are decoded.
@Suite("Urgent frames")
final class UrgentFrameTests: Sendable {
    private let animation = ScriptedAnimation(10)
    private let jobs = HeldJobs()
    private let queue: JobQueue
    private let budget = MemoryBudget(byteLimit: 1000)
    private let pool: FramePool
    /// The frames that were decoded before a frame of another animation, which was asked for first, had its turn.
    private let before = Mutex<[Int]?>(nil)

    init() {
        queue = jobs.queue
        pool = FramePool(animation, frameByteCount: 16, budget: budget, queue: queue)
    }

    private func need(_ count: Int, from place: Int, shown: Int? = nil) {
        let sequence = FrameSequence(mode: .normal, frameCount: 10)
        pool.setWindow(
            FrameWindow(sequence: sequence, place: place, count: count, shown: shown, missing: nil),
            of: ObjectIdentifier(jobs))
    }

    /// Frame 0 is there, another animation's frame waits, and behind it frame 1, decoded ahead.
    private func prepare() {
        need(1, from: 0)
        jobs.run()
        #expect(animation.decoded == [0])
        queue.submit { [self] in before.withLock { $0 = animation.decoded } }
        need(2, from: 0)
    }

    @Test("a frame that waits to be decoded ahead keeps its place")
    func patience() {
        prepare()
        jobs.run()
        #expect(before.withLock { $0 } == [0])
        #expect(animation.decoded == [0, 1])
    }

    @Test("a waiting frame comes first once a player needs it next")
    func promotion() {
        prepare()
        need(2, from: 1, shown: 0)
        jobs.run()
        #expect(before.withLock { $0 }?.prefix(2) == [0, 1])
        #expect(animation.decoded == [0, 1, 2])
        #expect(budget.frameByteCount == pool.heldByteCount)
    }

    @Test("a waiting frame makes way for the one that a player needs next after a seek")
    func replacement() {
        prepare()
        need(1, from: 5, shown: 0)
        jobs.run()
        #expect(before.withLock { $0 }?.prefix(2) == [0, 5])
        #expect(animation.decoded == [0, 5])
        #expect(budget.frameByteCount == pool.heldByteCount && pool.heldCount == 2)
    }
}
