import Synchronization
import WebImageTesting

/// One step after the other on the calling thread, chosen by a seed. Other threads that overtake are steps within
/// steps.
final class SteppedSchedule: Schedule {
    private struct Pending {
        let name: @Sendable () -> String
        let step: Step
    }

    private struct State {
        var random: SeededGenerator
        var anywhere: [Pending] = []
        var main: [Pending] = []
        /// Whether a step of the main queue is on the stack, or is the running one.
        var isMainBusy = false
        var isOnMain = false
        var depth = 0
        var isQuiet = false
        var time = 0
        var stepBegan = 0
        var actionsLeft: Int
        var story: [String] = []
        var faults: [String] = []

        /// The next step; nil when there is none.
        mutating func takeNext() -> (pending: Pending, place: SchedulePlace)? {
            let hasMain = !isMainBusy && !main.isEmpty
            let count = anywhere.count + (hasMain ? 1 : 0)
            guard count > 0 else { return nil }
            let index = Int.random(in: 0..<count, using: &random)
            guard index < anywhere.count else { return (main.removeFirst(), .main) }
            anywhere.swapAt(index, anywhere.count - 1)
            return (anywhere.removeLast(), .anywhere)
        }
    }

    let isStepped = true
    private let tellsStory: Bool
    private let state: Mutex<State>
    /// The actions of users.
    private let action = Mutex<Action?>(nil)

    private struct Action {
        let run: Step
    }

    private static let deepestInterleaving = 3
    /// The maximum number of steps: a simulation that has not ended by then never will.
    private static let mostSteps = 20_000

    /// - Parameters:
    ///   - actionCount: The number of users' actions.
    ///   - tellsStory: Whether every step is recorded.
    init(seed: UInt64, actionCount: Int, tellsStory: Bool) {
        state = Mutex(State(random: SeededGenerator(seed: seed), actionsLeft: actionCount))
        self.tellsStory = tellsStory
    }

    var story: [String] { state.withLock { $0.story } }
    var faults: [String] { state.withLock { $0.faults } }
    var time: Int { state.withLock { $0.time } }
    var stepBegan: Int { state.withLock { $0.stepBegan } }

    /// Runs users' actions and all steps, until no action and no step is left.
    ///
    /// - Parameter wake: Lets time pass when nothing else is left; false when nothing waits for it.
    func run(action: @escaping Step, wake: () -> Bool) {
        self.action.withLock { $0 = Action(run: action) }
        repeat {
            while faults.isEmpty, advance() {}
        } while faults.isEmpty && wake()
        self.action.withLock { $0 = nil }
    }

    /// One step or one action; false when nothing is left.
    private func advance() -> Bool {
        let acts = state.withLock { state in
            guard state.time < Self.mostSteps else { return nil as Bool? }
            guard state.actionsLeft > 0 else { return false }
            let isIdle = state.anywhere.isEmpty && state.main.isEmpty
            let acts = isIdle || Int.random(in: 0..<100, using: &state.random) < 40
            if acts { state.actionsLeft -= 1 }
            return acts
        }
        guard let acts else {
            fail("it never ends")
            return false
        }
        return acts ? act() : step()
    }

    private func act() -> Bool {
        guard let action = action.withLock({ $0 }) else { return false }
        enter(.anywhere) { action.run() }
        return true
    }

    private func step() -> Bool {
        guard let (pending, place) = state.withLock({ $0.takeNext() }) else { return false }
        note(pending.name())
        enter(place, pending.step)
        return true
    }

    private func enter(_ place: SchedulePlace, _ step: Step) {
        let before = state.withLock { state in
            defer {
                state.depth += 1
                state.time += 1
                state.stepBegan = state.time
                state.isOnMain = place == .main
                if place == .main { state.isMainBusy = true }
            }
            return (state.isOnMain, state.isMainBusy, state.stepBegan)
        }
        step()
        state.withLock { state in
            state.depth -= 1
            (state.isOnMain, state.isMainBusy, state.stepBegan) = before
        }
    }

    // MARK: Schedule

    func add(_ place: SchedulePlace, _ name: @escaping @autoclosure @Sendable () -> String, _ step: @escaping Step) {
        let pending = Pending(name: name, step: step)
        state.withLock { state in
            switch place {
            case .anywhere: state.anywhere.append(pending)
            case .main: state.main.append(pending)
            }
        }
    }

    func interleave() {
        let count = state.withLock { state in
            guard !state.isQuiet, state.depth < Self.deepestInterleaving else { return 0 }
            return max(0, Int.random(in: 0..<6, using: &state.random) - 3)
        }
        for _ in 0..<count { _ = advance() }
    }

    func withoutInterleaving(_ body: () -> Void) {
        let before = state.withLock { state in
            defer { state.isQuiet = true }
            return state.isQuiet
        }
        body()
        state.withLock { $0.isQuiet = before }
    }

    var isOnMain: Bool { state.withLock { $0.isOnMain } }

    var isAlone: Bool { state.withLock { $0.depth == 1 } }

    func random(below limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.random) } }

    func note(_ text: @autoclosure () -> String) {
        guard tellsStory else { return }
        let text = text()
        state.withLock { $0.story.append(String(repeating: "  ", count: $0.depth) + text) }
    }

    func fail(_ text: String) {
        note("FAULT: \(text)")
        state.withLock { $0.faults.append(text) }
    }
}
