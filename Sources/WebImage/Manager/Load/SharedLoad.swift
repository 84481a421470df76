import FoundationEssentials
import Synchronization

/// The way to one picture, for all loads that ask for the very same at the same time: its stages are gone through once.
///
/// It is as urgent as the most urgent of those who wait, and ends when the picture is there or the last of them has left.
/// Each of them is told by itself; see ``LoadOperation``.
final class SharedLoad: JoinedLoad {
    struct State {
        var machine: LoadStateMachine
        var waiting = WaitingLoads()
        /// Nobody can join any more.
        var isOver = false
        /// What is under way now, and the number of its stage: an answer may come before its task is known.
        var task: (any CancellableTask)?
        var stage = 0
        /// What was told so far, for those who join later.
        var progress: LoadProgress?
        var part: Image?

        var soFar: LoadSoFar { LoadSoFar(stage: machine.stage, progress: progress, part: part) }
    }

    /// nil for one that nobody but its first load can join.
    let key: SharedLoadKey?
    /// Where those who want the same find it; nil for one that nobody can join.
    private let loads: SharedLoads?
    let stages: LoadStages
    /// Whether those who wait keep traces. The listeners are a part of what is asked for, so that all do or none does.
    let isTraced: Bool
    let state: Mutex<State>

    init(_ stages: LoadStages, key: SharedLoadKey?, among loads: SharedLoads?, isTraced: Bool) {
        self.stages = stages
        self.key = key
        self.loads = loads
        self.isTraced = isTraced
        state = Mutex(State(machine: LoadStateMachine(plan: stages.plan)))
    }

    var plan: LoadPlan { stages.plan }

    /// Begins, when its first load has joined.
    func start(inMemory image: Image?) {
        guard image == nil, let larger = plan.largerImageFromMemory() else {
            return send(.started(inMemory: image))
        }
        run { stages.reduce(larger, priority: $0) { self.send(.started(inMemory: $0)) } }
    }

    // MARK: Those who wait

    /// Lets `operation` wait, and tells it how far things are; false when everybody else has been told the end, or has
    /// left.
    func join(_ operation: LoadOperation) -> Bool {
        let priority = operation.priority
        let joined: (number: UInt64, news: LoadOperation.LateNews, isMoreUrgent: Bool)? = state.withLock { state in
            guard !state.isOver else { return nil }
            let before = state.waiting.isEmpty ? priority : state.waiting.priority
            let number = state.waiting.add(operation, priority: priority)
            // Noted here, so that what comes next is not there before it, and told below.
            return (number, operation.note(state.soFar), priority > before)
        }
        guard let joined else { return false }
        operation.wait(for: .stages(self, joined.number))
        operation.tell(joined.news)
        if joined.isMoreUrgent { tellPriority() }
        return true
    }

    /// A load wants nothing more; what is under way stops when it was the last.
    func leave(_ number: UInt64) {
        // What leaves is let go outside the lock: it may be the last to hold something of the caller's that asks again.
        let (left, action, isLessUrgent) = state.withLock { state in
            let before = state.waiting.priority
            let left = state.waiting.remove(number)
            guard left != nil, state.waiting.isEmpty else {
                return (left, LoadStateMachine.Action.nothing, state.waiting.priority < before)
            }
            state.isOver = true
            return (left, state.machine.handle(.cancelled), false)
        }
        perform(action)
        if isLessUrgent { tellPriority() }
        withExtendedLifetime(left) {}
    }

    func setPriority(_ priority: LoadPriority, of number: UInt64) {
        let hasChanged = state.withLock { state in
            let before = state.waiting.priority
            state.waiting.setPriority(priority, of: number)
            return state.waiting.priority != before
        }
        if hasChanged { tellPriority() }
    }

    /// Tells the task under way how urgent it is, unless it knows.
    ///
    /// - Parameter known: What the task was told when it began.
    func tellPriority(known: LoadPriority? = nil) {
        // Again when another thread has changed it meanwhile: the last one told must be the last one set.
        var told = known
        while let (task, wanted) = state.withLock({ $0.priorityToTell(unless: told) }) {
            (task as? any ImageLoadTask)?.setPriority(wanted)
            told = wanted
        }
    }

    // MARK: What they are told

    func report(_ progress: LoadProgress) {
        let waiting: [LoadOperation] = state.withLock { state in
            guard state.machine.isRunning else { return [] }
            state.progress = progress
            return state.waiting.all
        }
        for operation in waiting { operation.report(progress) }
    }

    func tell(part: Image) {
        let (waiting, before) = state.withLock { state in
            guard state.machine.takesParts else { return ([], nil) as ([LoadOperation], Image?) }
            defer { state.part = part }
            return (state.waiting.all, state.part)
        }
        for operation in waiting { operation.receive(.partial(part)) }
        withExtendedLifetime(before) {}
    }

    func tell(_ update: LoadUpdate) {
        for operation in state.withLock({ $0.waiting.all }) { operation.receive(update) }
    }

    /// The picture is there, or there is none: one ending for everybody.
    func end(_ ending: LoadEnding) {
        stages.note(ending.outcome)
        let last = state.withLock { $0.finish() }
        loads?.remove(self)
        for operation in last.waiting.all { operation.finish(ending) }
    }

    /// The last one has left.
    func stop() {
        let last = state.withLock { $0.finish() }
        loads?.remove(self)
        last.task?.cancel()
    }
}

extension SharedLoad.State {
    fileprivate func priorityToTell(unless told: LoadPriority?) -> ((any CancellableTask)?, LoadPriority)? {
        guard !waiting.isEmpty, waiting.priority != told else { return nil }
        return (task, waiting.priority)
    }

    /// Lets go of everybody and everything, which the caller does in its turn outside the lock.
    fileprivate mutating func finish() -> (waiting: WaitingLoads, task: (any CancellableTask)?, part: Image?) {
        isOver = true
        defer { waiting = WaitingLoads() }
        return (waiting, task.take(), part.take())
    }
}
