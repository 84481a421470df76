import FoundationEssentials
import Testing
import WebImageCore

/// The manager's guarantees, under thousands of random orders of events, each determined by a seed.
///
/// A seed that breaks a rule is told with its story. `WEBIMAGE_SEED=17 swift test --filter RandomSchedule` runs the one
/// again, and `WEBIMAGE_SEEDS=100000` runs more of them. Threads cannot be replayed: their seed gives what is done, not
/// when.
@Suite("Random schedules", .timeLimit(.minutes(60)))
struct RandomScheduleTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let chosenSeed = environment["WEBIMAGE_SEED"].flatMap { UInt64($0) }
    private static let seedCount = environment["WEBIMAGE_SEEDS"].flatMap { UInt64($0) } ?? 10_000
    private static let threadedSeedCount = environment["WEBIMAGE_SEEDS"].flatMap { UInt64($0) } ?? 200
    private static let batchCount: UInt64 = 20
    private static let actionCount = 16

    /// Intended refusals are not reported. Once for the process: tests that look at the log run in processes of their
    /// own.
    private static let isQuiet: Void = WebImageLog.setHandler { message in
        if !message.contains("imulated") { print(message) }
    }

    init() { Self.isQuiet }

    @Test(
        "exactly one ending, nothing stale, no waiter lost, nothing left running, in any order of steps",
        arguments: chosenSeed == nil ? 0..<batchCount : 0..<1)
    func steps(batch: UInt64) {
        if let seed = Self.chosenSeed { return Self.tell(seed) }
        for seed in stride(from: batch, to: Self.seedCount, by: Int(Self.batchCount)) {
            // One story is enough.
            guard Self.run(seed, tellsStory: false).faults.isEmpty else { return Self.tell(seed) }
        }
    }

    @Test("equal loads occur in these orders, and join each other", .enabled(if: chosenSeed == nil))
    func joins() {
        let count = (0..<200 as Range<UInt64>).reduce(0) { count, seed in
            var joinedCount = 0
            _ = Self.run(seed, tellsStory: false) { joinedCount = $0.joinedCount }
            return count + joinedCount
        }
        #expect(count > 20)
    }

    @Test("a seed gives the same story each time", arguments: [1, 2, 3] as [UInt64])
    func isRepeatable(seed: UInt64) {
        let stories = (0..<2).map { _ in Self.run(seed, tellsStory: true).story }
        #expect(stories[0] == stories[1], "\(zip(stories[0], stories[1]).prefix { $0 == $1 }.count)")
    }

    @Test(
        "exactly one ending, no waiter lost, nothing left running, on many threads",
        .enabled(if: chosenSeed == nil), arguments: 0..<threadedSeedCount)
    func threads(seed: UInt64) async {
        let schedule = ThreadedSchedule(seed: seed)
        let simulation = Simulation(schedule)
        await schedule.run(threadCount: 4, actionCount: 10) { simulation.act() }
        simulation.checkEnd()
        #expect(schedule.faults.isEmpty, "seed \(seed)")
        simulation.end()
    }

    private static func run(
        _ seed: UInt64, tellsStory: Bool, look: (Simulation) -> Void = { _ in }
    ) -> SteppedSchedule {
        let schedule = SteppedSchedule(seed: seed, actionCount: actionCount, tellsStory: tellsStory)
        let simulation = Simulation(schedule)
        schedule.run(action: { simulation.act() }, wake: { simulation.wake() })
        if schedule.faults.isEmpty { simulation.checkEnd() }
        look(simulation)
        simulation.end()
        return schedule
    }

    private static func tell(_ seed: UInt64) {
        let schedule = run(seed, tellsStory: true)
        let story = schedule.story.joined(separator: "\n")
        if chosenSeed != nil { print(story) }
        guard !schedule.faults.isEmpty else { return }
        Issue.record(
            """
            seed \(seed): \(schedule.faults.joined(separator: "; "))
            Run it again by WEBIMAGE_SEED=\(seed). Its story:
            \(story)
            """)
    }
}
