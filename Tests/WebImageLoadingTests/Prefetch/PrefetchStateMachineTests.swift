import Testing
import WebImageCore
import WebImageTesting

@testable import WebImageLoading

@Suite("Prefetcher state machine")
struct PrefetchStateMachineTests {
    private typealias Machine = PrefetchStateMachine
    private typealias Job = PrefetchStateMachine.Job

    /// Actions as words, so that a sequence is readable.
    private static func words(_ actions: [Machine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .start(let job, let priority): "start \(job.batch).\(job.index) \(priority)"
            case .stop(let job): "stop \(job.batch).\(job.index)"
            case .setPriority(let job, let priority): "set \(job.batch).\(job.index) \(priority)"
            case .tell(let news): words(news)
            }
        }
    }

    private static func words(_ news: Machine.News) -> String {
        let (own, all) = (news.progress, news.totals)
        let what = news.index.map { "\(news.batch).\($0)" } ?? "\(news.batch)"
        let end = own.isFinished ? (news.isLast ? " last" : " end") : ""
        return "tell \(what) \(own.finishedCount)-\(own.skippedCount)/\(own.totalCount)"
            + " of \(all.finishedCount)-\(all.skippedCount)/\(all.totalCount)\(end)"
    }

    private static func walk(_ machine: inout Machine, _ events: Machine.Event...) -> [String] {
        events.flatMap { words(machine.handle($0)) }
    }

    private static func ended(_ batch: UInt64, _ index: Int, skipped: Bool = false) -> Machine.Event {
        .ended(Job(batch: batch, index: index), isSkipped: skipped)
    }

    private static func added(_ batch: UInt64, _ count: Int, urgent: Set<Int> = []) -> Machine.Event {
        .added(batch, count: count, urgent: urgent)
    }

    @Test("A98 no more begin than there are places, in order, and each ending lets the next one begin")
    func places() {
        var machine = Machine(limit: 2, priority: .low)
        #expect(Self.walk(&machine, Self.added(1, 4)) == ["start 1.0 low", "start 1.1 low"])
        #expect(Self.walk(&machine, Self.ended(1, 1)) == ["tell 1.1 1-0/4 of 1-0/4", "start 1.2 low"])
    }

    @Test("PRE-5 failures count as finished and as skipped")
    func counts() {
        var machine = Machine(limit: 3, priority: .low)
        let story = Self.walk(
            &machine, Self.added(1, 3), Self.ended(1, 0), Self.ended(1, 1, skipped: true), Self.ended(1, 2))
        #expect(
            story.suffix(3) == [
                "tell 1.0 1-0/3 of 1-0/3", "tell 1.1 2-1/3 of 2-1/3", "tell 1.2 3-1/3 of 3-1/3 last",
            ])
        #expect(machine.batchCount == 0)
        #expect(machine.totals == PrefetchProgress())
    }

    @Test("PRE-3 PRE-6 B23 batches share the places, and totals count those under way")
    func batches() {
        var machine = Machine(limit: 2, priority: .low)
        let story = Self.walk(
            &machine, Self.added(1, 1), Self.added(2, 2), Self.ended(2, 0), Self.ended(1, 0), Self.ended(2, 1))
        #expect(
            story == [
                "start 1.0 low", "start 2.0 low", "tell 2.0 1-0/2 of 1-0/3", "start 2.1 low",
                "tell 1.0 1-0/1 of 2-0/3 end", "tell 2.1 2-0/2 of 2-0/2 last",
            ])
    }

    @Test("B23 a cancelled batch stops its running loads, counts all of it as skipped and ends at once")
    func cancel() {
        var machine = Machine(limit: 2, priority: .low)
        _ = Self.walk(&machine, Self.added(1, 4), Self.added(2, 1), Self.ended(1, 0))
        #expect(
            Self.walk(&machine, .cancelled(1)) == [
                "stop 1.1", "stop 1.2", "tell 1 4-3/4 of 4-3/5 end", "start 2.0 low",
            ])
        #expect(Self.walk(&machine, Self.ended(1, 1), Self.ended(1, 3), .cancelled(1), .withdrawn(1)) == [])
        #expect(machine.batchCount == 1)
    }

    @Test("a withdrawn batch lets running pictures end and gives up the rest")
    func withdraw() {
        var machine = Machine(limit: 1, priority: .low)
        _ = Self.walk(&machine, Self.added(1, 3))
        #expect(Self.walk(&machine, .withdrawn(1)) == ["tell 1 2-2/3 of 2-2/3"])
        #expect(Self.walk(&machine, .withdrawn(1)) == [])
        #expect(Self.walk(&machine, Self.ended(1, 0)) == ["tell 1.0 3-2/3 of 3-2/3 last"])
    }

    @Test("while it is paused nothing begins, and running pictures end as usual")
    func pause() {
        var machine = Machine(limit: 1, priority: .low)
        _ = Self.walk(&machine, Self.added(1, 2))
        #expect(Self.walk(&machine, .paused(true), Self.ended(1, 0)) == ["tell 1.0 1-0/2 of 1-0/2"])
        #expect(Self.walk(&machine, Self.added(2, 1), .limited(5)) == [])
        #expect(Self.walk(&machine, .paused(false)) == ["start 1.1 low", "start 2.0 low"])
    }

    @Test("additional places are used at once, a reduction as running pictures end")
    func limit() {
        var machine = Machine(limit: 1, priority: .low)
        _ = Self.walk(&machine, Self.added(1, 6))
        #expect(Self.walk(&machine, .limited(3)) == ["start 1.1 low", "start 1.2 low"])
        #expect(Self.walk(&machine, .limited(0), Self.ended(1, 0), Self.ended(1, 1)).count == 2)
        #expect(Self.walk(&machine, Self.ended(1, 2)).last == "start 1.3 low")
    }

    @Test("a changed priority reaches running and waiting pictures, except those requested as urgent")
    func priority() {
        var machine = Machine(limit: 2, priority: .low)
        #expect(Self.walk(&machine, Self.added(1, 4, urgent: [2])) == ["start 1.2 high", "start 1.0 low"])
        #expect(Self.walk(&machine, .prioritized(.normal)) == ["set 1.0 normal"])
        #expect(Self.walk(&machine, Self.ended(1, 2)).last == "start 1.1 normal")
        #expect(Self.walk(&machine, .prioritized(.low)) == ["set 1.0 low", "set 1.1 low"])
        #expect(Self.walk(&machine, Self.ended(1, 1)).last == "start 1.3 low")
    }

    @Test("after the priority fell, pictures of equal priority start in the order in which they were added")
    func fifoAfterPriority() {
        var machine = Machine(limit: 1, priority: .high)
        _ = Self.walk(&machine, Self.added(1, 2), .prioritized(.low), Self.added(2, 1))
        #expect(Self.walk(&machine, Self.ended(1, 0)).last == "start 1.1 low")
    }

    @Test("random walks keep the promises", arguments: 1...200 as ClosedRange<UInt64>)
    func randomWalk(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var walk = RandomWalk()
        for _ in 0..<200 { try walk.step(&random) }
        try walk.finish()
        #expect(walk.machine.batchCount == 0, "seed \(seed)")
        #expect(walk.machine.totals == PrefetchProgress(), "seed \(seed)")
        #expect(walk.running.isEmpty, "seed \(seed)")
    }

    private struct Broken: Error { let promise: String }

    /// A machine, and the running jobs of a driver that performs its actions.
    private struct RandomWalk {
        var machine = Machine(limit: 3, priority: .low)
        var running: [Job: LoadPriority] = [:]
        var begun: Set<Job> = []
        var progress: [UInt64: PrefetchProgress] = [:]
        var ended: Set<UInt64> = []
        var lastBatch: UInt64 = 0

        mutating func step(_ random: inout SeededGenerator) throws {
            let batch = lastBatch > 0 ? UInt64.random(in: 1...lastBatch, using: &random) : 0
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<3:
                lastBatch += 1
                let count = Int.random(in: 1...8, using: &random)
                progress[lastBatch] = PrefetchProgress(totalCount: count)
                try handle(.added(lastBatch, count: count, urgent: Bool.random(using: &random) ? [0, count / 2] : []))
            case 3: try handle(.cancelled(batch))
            case 4: try handle(.withdrawn(batch))
            case 5: try handle(.paused(Int.random(in: 0..<3, using: &random) == 0))
            case 6: try handle(.limited(Int.random(in: 0...5, using: &random)))
            case 7: try handle(.prioritized(LoadPriority.allCases.randomElement(using: &random) ?? .low))
            case 8:
                // An event for a batch that does not exist any more.
                try handle(.ended(Job(batch: batch, index: 100), isSkipped: false))
            default:
                let jobs = running.keys.sorted { ($0.batch, $0.index) < ($1.batch, $1.index) }
                guard let job = jobs.randomElement(using: &random) else { return }
                running[job] = nil
                try handle(.ended(job, isSkipped: Bool.random(using: &random)))
            }
        }

        mutating func finish() throws {
            try handle(.paused(false))
            while let job = running.keys.first {
                running[job] = nil
                try handle(.ended(job, isSkipped: false))
            }
        }

        private mutating func handle(_ event: Machine.Event) throws {
            for action in machine.handle(event) { try apply(action) }
            guard machine.batchCount == progress.count - ended.count else { throw Broken(promise: "batches are known") }
        }

        private mutating func apply(_ action: Machine.Action) throws {
            switch action {
            case .start(let job, let priority):
                guard begun.insert(job).inserted else { throw Broken(promise: "\(job) begins once") }
                guard running.count < machine.limit, !machine.isPaused else {
                    throw Broken(promise: "there is a place")
                }
                running[job] = priority
            case .stop(let job):
                guard running.removeValue(forKey: job) != nil else { throw Broken(promise: "\(job) runs") }
            case .setPriority(let job, let priority):
                guard running.updateValue(priority, forKey: job) != nil else { throw Broken(promise: "\(job) runs") }
            case .tell(let news): try apply(news)
            }
        }

        private mutating func apply(_ news: Machine.News) throws {
            guard !ended.contains(news.batch), let before = progress[news.batch],
                news.progress.finishedCount > before.finishedCount, news.progress.skippedCount >= before.skippedCount,
                news.progress.skippedCount <= news.progress.finishedCount,
                news.progress.finishedCount <= before.totalCount
            else { throw Broken(promise: "the counts of \(news.batch) go up") }
            progress[news.batch] = news.progress
            if news.progress.isFinished { ended.insert(news.batch) }
            // The totals over the batches that were running before this ending.
            var totals = PrefetchProgress()
            for (batch, progress) in progress where batch == news.batch || !ended.contains(batch) {
                totals.add(progress)
            }
            guard totals == news.totals else { throw Broken(promise: "totals count those under way") }
            guard news.isLast == (ended.count == progress.count) else { throw Broken(promise: "the last is the last") }
        }
    }
}
