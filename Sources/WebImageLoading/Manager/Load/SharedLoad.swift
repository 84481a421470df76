import FoundationEssentials
import Synchronization
import WebImageCore
import WebImageHTTP

/// The stages of one picture, for all loads with the same request at the same time: they run once.
///
/// It has the highest priority of the waiting loads, and ends when the picture is there or the last of them has left.
/// Each load delivers to its own caller; see ``LoadOperation``.
final class SharedLoad: JoinedLoad {
    struct State {
        var machine: LoadStateMachine
        var waiting = WaitingLoads()
        /// Whether it has ended, so that no load can join.
        var isOver = false
        /// The task of the current stage, and the number of the stage: an answer may arrive before its task is known.
        var task: (any CancellableTask)?
        var stage = 0
        /// The latest events, for loads that join later.
        var progress: LoadProgress?
        var part: Image?

        var soFar: LoadSoFar { LoadSoFar(stage: machine.stage, progress: progress, part: part) }
    }

    /// nil for a load that is not shared.
    let key: SharedLoadKey?
    /// The table in which equal requests find it; nil for a load that is not shared.
    private let loads: SharedLoads?
    let stages: LoadStages
    /// Whether the waiting loads have traces. The listeners are part of the key, so that all of them do or none does.
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

    /// Begins, after its first load has joined.
    func start(inMemory image: Image?) {
        send(.started(inMemory: image, use: image.map { plan.use(of: $0, at: stages.shared.now()) } ?? .atOnce))
    }

    // MARK: Waiting loads

    /// Adds `operation`, and delivers the current state to it; false when this load has ended, or the last one has
    /// left.
    func join(_ operation: LoadOperation) -> Bool {
        let priority = operation.priority
        let joined: (number: UInt64, news: LoadOperation.LateNews, isMoreUrgent: Bool)? = state.withLock { state in
            guard !state.isOver else { return nil }
            let before = state.waiting.isEmpty ? priority : state.waiting.priority
            let number = state.waiting.add(operation, priority: priority)
            // Noted here, so that it comes before later events, and delivered below.
            return (number, operation.note(state.soFar), priority > before)
        }
        guard let joined else { return false }
        operation.wait(for: .stages(self, joined.number))
        operation.tell(joined.news)
        if joined.isMoreUrgent { tellPriority() }
        return true
    }

    /// Removes a load; the current work stops when it was the last.
    func leave(_ number: UInt64) {
        // The removed load is released outside the lock: it may hold the last reference to an object of the caller that
        // calls this load again.
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

    /// Sets the priority of the current task, unless the task has it already.
    ///
    /// - Parameter known: The priority with which the task began.
    func tellPriority(known: LoadPriority? = nil) {
        // Repeated if another thread has changed it meanwhile: the last priority delivered must be the last one set.
        var told = known
        while let (task, wanted) = state.withLock({ $0.priorityToTell(unless: told) }) {
            task?.setPriority(wanted)
            told = wanted
        }
    }

    // MARK: Delivery

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

    /// Delivers one end to all waiting loads.
    func end(_ ending: LoadEnding) {
        stages.note(ending.outcome)
        let last = state.withLock { $0.finish() }
        loads?.remove(self)
        for operation in last.waiting.all { operation.finish(ending) }
    }

    /// Stops after the last load has left.
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

    /// Removes all references, which the caller must release outside the lock.
    fileprivate mutating func finish() -> (waiting: WaitingLoads, task: (any CancellableTask)?, part: Image?) {
        isOver = true
        defer { waiting = WaitingLoads() }
        return (waiting, task.take(), part.take())
    }
}
