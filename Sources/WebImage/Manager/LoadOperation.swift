import FoundationEssentials
import Synchronization

/// One load under way: what a caller holds to cancel it or to change its priority.
///
/// It ends exactly once, by a picture, a failure or a cancellation. Nobody needs to keep it: the manager does while the
/// load runs.
public final class LoadOperation: CancellableTask {
    /// The address that was asked for.
    public let url: URL

    private struct State {
        var machine: LoadStateMachine
        /// What is under way now, and the number of its stage: an answer may come before its task is known.
        var task: (any CancellableTask)?
        var stage = 0
        var priority: LoadPriority
        var completed: Completion?
        var progress: Progress?
    }

    typealias Completion = @Sendable (Result<LoadResult, WebImageError>) -> Void
    typealias Progress = @Sendable (LoadProgress) -> Void

    private let plan: LoadPlan
    private let stages: LoadStages
    private let state: Mutex<State>

    init(plan: LoadPlan, stages: LoadStages, progress: Progress?, completed: @escaping Completion) {
        url = plan.url
        self.plan = plan
        self.stages = stages
        state = Mutex(
            State(
                machine: LoadStateMachine(plan: plan), priority: plan.request.priority, completed: completed,
                progress: progress))
    }

    /// Whether the load was cancelled before it ended in another way.
    public var isCancelled: Bool { wasCancelled.isCancelled }
    private let wasCancelled = CancellationFlag()

    /// Ends the load: no picture of it is delivered once this returns, and the completion gets
    /// ``WebImageError/Code/cancelled`` on its queue, at once where the queue allows. Idempotent; any thread.
    public func cancel() {
        send(.cancelled)
    }

    /// Changes how urgently the picture is wanted, for the stage under way and those to come. Any thread.
    public func setPriority(_ priority: LoadPriority) {
        let task = state.withLock { state in
            state.priority = priority
            return state.task
        }
        (task as? any ImageLoadTask)?.setPriority(priority)
    }

    /// Ends a load that may not even begin.
    func refuse(_ error: WebImageError) { send(.refused(error)) }

    func start(inMemory image: Image?) { send(.started(inMemory: image)) }

    private func send(_ event: LoadStateMachine.Event) {
        let actions = state.withLock { $0.machine.handle(event) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: LoadStateMachine.Action) {
        switch action {
        case .queryDisk(let file):
            run { stages.queryDisk(file, priority: $0) { self.send(.diskAnswered($0)) } }
        case .load:
            run { priority in
                stages.load(priority: priority, progress: { self.report($0) }, completion: { self.send(.loaded($0)) })
            }
        case .decode(let encoded):
            run { stages.decode(encoded, priority: $0) { self.send(.decoded($0)) } }
        case .removeFromDisk(let file):
            stages.removeFromDisk(file)
        case .store(let decoded, let encoded):
            stages.store(decoded, encoded) { self.send(.stored) }
        case .deliver:
            deliver()
        case .stop:
            wasCancelled.cancel()
            stopTask()
            deliver()
        }
    }

    /// Starts a stage and remembers its task, unless the stage was over before its task was known.
    private func run(_ start: (LoadPriority) -> any CancellableTask) {
        let (stage, priority, _) = state.withLock { state in
            state.stage += 1
            // The task of the stage before is a loader's or a cache's own: it is let go outside the lock.
            return (state.stage, state.priority, state.task.take())
        }
        let task = start(priority)
        let isCurrent = state.withLock { state in
            guard state.stage == stage, state.machine.isRunning else { return false }
            state.task = task
            return true
        }
        if !isCurrent { task.cancel() }
    }

    private func stopTask() {
        let task = state.withLock { $0.task.take() }
        task?.cancel()
    }

    private func report(_ progress: LoadProgress) {
        let handler = state.withLock { $0.machine.isRunning ? $0.progress : nil }
        handler?(progress)
    }

    private func deliver() {
        plan.callbackQueue.run {
            guard let ending = self.takeEnding() else { return }
            self.stages.end(self, ending.outcome)
            ending.completed?(ending.outcome)
        }
    }

    /// What is let go with the end, outside the lock: the caller's closures may hold something that cancels the load when
    /// it goes.
    private struct Ending {
        let outcome: LoadStateMachine.Outcome
        let completed: Completion?
        let progress: Progress?
        let task: (any CancellableTask)?
    }

    private func takeEnding() -> Ending? {
        state.withLock { state in
            guard let outcome = state.machine.takeOutcome() else { return nil }
            return Ending(
                outcome: outcome, completed: state.completed.take(), progress: state.progress.take(),
                task: state.task.take())
        }
    }
}
