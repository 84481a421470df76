import Dispatch
import Glibc
import Synchronization
import WebImageTesting

/// Everything in parallel on as many threads as Dispatch has.
final class ThreadedSchedule: Schedule {
    private struct State {
        var random: SeededGenerator
        var faults: [String] = []
    }

    let isStepped = false
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "simulation", attributes: .concurrent)
    private let main = DispatchQueue(label: "simulation main")
    private let group = DispatchGroup()
    private static let mainKey = DispatchSpecificKey<Bool>()

    init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        main.setSpecific(key: Self.mainKey, value: true)
    }

    var faults: [String] { state.withLock { $0.faults } }

    /// Lets `threadCount` users act `actionCount` times each, and returns when they and all work that they began are
    /// done.
    func run(threadCount: Int, actionCount: Int, action: @escaping Step) async {
        for _ in 0..<threadCount {
            queue.async(group: group) {
                for _ in 0..<actionCount { action() }
            }
        }
        // Does not block this thread, which is one of those that tasks run on.
        await withCheckedContinuation { continuation in group.notify(queue: queue) { continuation.resume() } }
    }

    /// Counts work outside of this schedule as pending, until the closure is called.
    func hold() -> Step {
        group.enter()
        return { self.group.leave() }
    }

    func add(_ place: SchedulePlace, _ name: @escaping @autoclosure @Sendable () -> String, _ step: @escaping Step) {
        (place == .main ? main : queue).async(group: group, execute: step)
    }

    func interleave() {
        if chance(30) { sched_yield() }
    }

    func withoutInterleaving(_ body: () -> Void) { body() }

    var isOnMain: Bool { DispatchQueue.getSpecific(key: Self.mainKey) == true }

    let isAlone = false
    let time = 0
    let stepBegan = 0

    func random(below limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.random) } }

    func note(_ text: @autoclosure () -> String) {}

    func fail(_ text: String) { state.withLock { $0.faults.append(text) } }
}
