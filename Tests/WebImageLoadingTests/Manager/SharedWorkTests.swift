import Dispatch
import Synchronization
import Testing
import WebImageTesting

@testable import WebImageCore
@testable import WebImageLoading

/// The promises of shared work, under random orders of events, each determined by a seed.
@Suite("Shared work", .timeLimit(.minutes(5)))
struct SharedWorkTests {
    @Test(
        """
        whatever happens within the calls of its tasks: each subscriber leaves or is told of one end and of all news, \
        the current task has the highest priority, and no task is left behind
        """, arguments: 0..<20 as Range<UInt64>)
    func random(batch: UInt64) {
        for seed in stride(from: batch, to: 2000, by: 20) {
            let story = WorkStory(seed: seed)
            story.run()
            #expect(story.faults.isEmpty, "seed \(seed)")
        }
    }

    @Test("in these orders, work ends in each way, and its tasks are replaced before they are known")
    func reach() {
        var reached: Set<WorkStory.Occurrence> = []
        for seed in 0..<200 as Range<UInt64> {
            let story = WorkStory(seed: seed)
            story.run()
            reached.formUnion(story.occurrences)
        }
        #expect(reached == Set(WorkStory.Occurrence.allCases))
    }

    @Test(
        "on many threads, each who has not left gets the value of his key once", arguments: 0..<50 as Range<UInt64>)
    func threads(seed: UInt64) {
        let (threads, group) = (DispatchQueue(label: "test", attributes: .concurrent), DispatchGroup())
        let queue = JobQueue(limit: 2) { _, work in threads.async(group: group, execute: work) }
        let pool = SharedJobPool<Int, Int>(queue: queue)
        let answers = Mutex<[Int: [Int]]>([:])
        let leavers = Mutex<Set<Int>>([])
        for thread in 0..<4 {
            threads.async(group: group) {
                var random = SeededGenerator(seed: seed << 8 | UInt64(thread))
                for number in 0..<100 {
                    let (key, name) = (Int.random(in: 0..<3, using: &random), thread * 100 + number)
                    let priority = LoadPriority.allCases.randomElement(using: &random) ?? .low
                    let task = pool.submit(key, priority: priority) { _ in
                        key
                    } completion: { value in
                        answers.withLock { $0[name, default: []].append(value == key ? 1 : 0) }
                    }
                    task.setPriority(LoadPriority.allCases.randomElement(using: &random) ?? .low)
                    guard Bool.random(using: &random) else { continue }
                    leavers.withLock { _ = $0.insert(name) }
                    task.cancel()
                }
            }
        }
        group.wait()
        for name in 0..<400 {
            let own = answers.withLock { $0[name] ?? [] }
            // A value may be on its way to one who leaves.
            #expect(own == [1] || own.isEmpty && leavers.withLock { $0.contains(name) }, "\(name): \(own)")
        }
    }
}

/// One piece of work with a random story: within each call of a task, anything may happen, as on another thread.
private final class WorkStory: Sendable {
    /// The events that a story may have.
    enum Occurrence: CaseIterable { case ended, cancelled, abandoned, replacedUnknown, endedUnknown, joinedTooLate }

    private typealias Work = SharedWork<Int, Int>

    fileprivate struct Member {
        let number: UInt64
        var priority: LoadPriority
        /// The news that it knows: all from the first on.
        var news: Int
    }

    /// A task, and when it began.
    fileprivate final class Step: CancellableTask {
        let start: Int
        let story: WorkStory
        let state: Mutex<(priority: LoadPriority, isCancelled: Bool)>

        init(_ start: Int, priority: LoadPriority, story: WorkStory) {
            self.start = start
            self.story = story
            state = Mutex((priority, false))
        }

        func cancel() {
            story.disturb()
            state.withLock { $0.isCancelled = true }
        }

        /// The caller may have been overtaken.
        func setPriority(_ priority: LoadPriority) {
            story.disturb()
            state.withLock { $0.priority = priority }
        }
    }

    fileprivate struct State {
        var random: SeededGenerator
        var faults: [String] = []
        var occurrences: Set<Occurrence> = []
        var members: [Int: Member] = [:]
        /// Those that are joining, and may have been told of the end before they know that they have joined.
        var told: Set<Int> = []
        var lastName = 0
        /// How many tasks have begun or were stopped, and those that are known.
        var lastStart = 0
        var steps: [Step] = []
        var depth = 0
        var news = 0
        /// How the work has ended; nil while it goes on.
        var end: Occurrence?
    }

    private let work = Work(0)
    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

    var faults: [String] { state.withLock { $0.faults } }
    var occurrences: Set<Occurrence> { state.withLock { $0.occurrences } }

    func run() {
        for _ in 0..<60 where faults.isEmpty {
            act()
            check()
        }
    }

    private func random(_ count: Int) -> Int { state.withLock { Int.random(in: 0..<count, using: &$0.random) } }

    private var randomPriority: LoadPriority { LoadPriority.allCases[random(LoadPriority.allCases.count)] }

    private var randomMember: (name: Int, number: UInt64)? {
        let members = state.withLock { $0.members.map { ($0.key, $0.value.number) }.sorted { $0.0 < $1.0 } }
        return members.isEmpty ? nil : members[random(members.count)]
    }

    private func act() {
        switch random(40) {
        case 0..<12: join()
        case 12..<18: leave()
        case 18..<26: setPriority()
        case 26..<32: begin()
        case 32..<37: tellNews()
        case 37: stopTask()
        case 38: end(.ended) { work.end() }
        default: end(.cancelled) { work.cancel() }
        }
    }

    private func disturb() {
        let isDeep = state.withLock { state in
            state.depth += 1
            return state.depth > 3
        }
        for _ in 0..<(isDeep ? 0 : random(3)) { act() }
        state.withLock { $0.depth -= 1 }
    }

    // MARK: What happens

    private func join() {
        let name = state.withLock { state in
            state.lastName += 1
            return state.lastName
        }
        let (priority, wasOver) = (randomPriority, state.withLock { $0.end != nil })
        let joined = work.join(name, priority: priority) { $0 }
        state.withLock { state in
            guard let joined else {
                state.occurrences.insert(.joinedTooLate)
                if !wasOver { state.faults.append("\(name) could not join") }
                return
            }
            if wasOver { state.faults.append("\(name) joined what was over") }
            if state.told.contains(name) { return }
            // News that came during the call have been told.
            state.members[name] = Member(number: joined.number, priority: priority, news: state.news)
            if joined.news > state.news { state.faults.append("\(name) got news that did not come yet") }
        }
    }

    private func leave() {
        guard let (name, number) = randomMember else { return }
        let before = state.withLock { state in
            state.members[name] = nil
            return state.end
        }
        let isLast = work.leave(number) { _ in self.state.withLock { $0.end = .abandoned } } != nil
        state.withLock { state in
            if isLast { state.occurrences.insert(.abandoned) }
            if isLast && before != nil { state.faults.append("\(name) has ended what was over") }
        }
    }

    private func setPriority() {
        guard let (name, number) = randomMember else { return }
        let priority = randomPriority
        state.withLock { $0.members[name]?.priority = priority }
        work.setPriority(priority, of: number)
    }

    private func begin() {
        work.run { priority in
            let start = beginStep()
            disturb()
            let step = Step(start, priority: priority, story: self)
            state.withLock { state in
                state.steps.append(step)
                if state.end != nil {
                    state.occurrences.insert(.endedUnknown)
                } else if state.lastStart != start {
                    state.occurrences.insert(.replacedUnknown)
                }
            }
            return step
        }
    }

    private func stopTask() {
        _ = beginStep()
        work.cancelTask()
    }

    private func beginStep() -> Int {
        state.withLock { state in
            state.lastStart += 1
            return state.lastStart
        }
    }

    private func tellNews() {
        let told = work.withLock { content in
            content.state += 1
            return content.subscribers.all
        }
        state.withLock { state in
            state.news += 1
            for name in told { state.members[name]?.news += 1 }
        }
    }

    private func end(_ end: Occurrence, _ perform: () -> [Int]) {
        // Within a call, members that are joining would be told before they are known.
        guard state.withLock({ $0.depth == 0 || !$0.members.isEmpty }) else { return }
        let isFirst = state.withLock { state in
            defer { state.end = state.end ?? end }
            return state.end == nil
        }
        let members = state.withLock { $0.members }
        let told = perform()
        state.withLock { state in
            if isFirst { state.occurrences.insert(end) }
            state.told.formUnion(told)
            if !isFirst && !told.isEmpty { state.faults.append("\(told) were told twice") }
            if isFirst, !Set(told).isSuperset(of: members.keys) { state.faults.append("not all were told: \(told)") }
            for name in told { state.members[name] = nil }
        }
    }

    // MARK: Promises

    private func check() {
        let isOver = work.isOver
        let (subscribers, priority) = work.withLock { ($0.subscribers.all, $0.subscribers.priority) }
        state.withLock { state in
            let names = state.members.sorted { $0.value.number < $1.value.number }.map(\.key)
            if names != subscribers { state.faults.append("\(subscribers) wait in place of \(names)") }
            if isOver != (state.end != nil) { state.faults.append("over: \(isOver), after \(state.end as Any)") }
            let highest = state.members.values.map(\.priority).max()
            if priority != highest ?? .low { state.faults.append("the priority is \(priority)") }
            for (name, member) in state.members where member.news != state.news {
                state.faults.append("\(name) has \(member.news) of \(state.news) news")
            }
            state.checkSteps(highest)
        }
    }
}

extension WorkStory.State {
    fileprivate mutating func checkSteps(_ highest: LoadPriority?) {
        guard let current = steps.first(where: { $0.start == lastStart })?.state.withLock({ $0 }) else { return }
        switch end {
        case nil:
            if current.isCancelled { faults.append("the current task was cancelled") }
            if let highest, current.priority != highest { faults.append("the task has \(current.priority)") }
        case .cancelled, .abandoned:
            if !current.isCancelled { faults.append("the task was left behind") }
        default: break
        }
    }
}
