import FoundationEssentials
import Synchronization

/// One load under way: what a caller holds to cancel it, to change its priority or to listen to it.
///
/// It ends exactly once, by a picture, a failure or a cancellation. Nobody needs to keep it: the manager does while the
/// load runs.
public final class LoadOperation: CancellableTask {
    /// The address that was asked for; nil where there was none, or text that is no address.
    public let url: URL?

    struct State {
        var machine: LoadStateMachine
        /// What is under way now, and the number of its stage: an answer may come before its task is known.
        var task: (any CancellableTask)?
        var stage = 0
        var priority: LoadPriority
        var callbacks: LoadCallbacks
        /// One thread tells at a time, so that everything is told in order.
        var isTelling = false
        var background: (any CancellableTask)?
        var news = LoadNews()
    }

    /// Takes the load over, in place of the stages.
    typealias Takeover = @Sendable (LoadOperation) -> InterceptedLoad

    let trace: LoadTrace?
    let stages: LoadStages
    let takeover: Takeover?
    let callbackQueue: CallbackQueue
    let state: Mutex<State>
    private let wasCancelled = CancellationFlag()

    init(url: URL?, stages: LoadStages, trace: LoadTrace?, callbacks: LoadCallbacks, takeover: Takeover? = nil) {
        let plan = stages.plan
        self.url = url
        self.trace = trace
        self.stages = stages
        self.takeover = takeover
        callbackQueue = callbacks.queue ?? plan.callbackQueue
        state = Mutex(State(machine: LoadStateMachine(plan: plan), priority: plan.priority, callbacks: callbacks))
        trace?.begin(.whole)
    }

    var plan: LoadPlan { stages.plan }

    /// Whether the load was cancelled before it ended in another way.
    public var isCancelled: Bool { wasCancelled.isCancelled }

    /// Ends the load: no picture of it is delivered once this returns, unless the callback that delivers it has begun on
    /// another thread; the completion gets ``WebImageError/Code/cancelled`` on its queue, at once where the queue allows.
    /// Idempotent; any thread.
    public func cancel() {
        send(.cancelled)
    }

    /// Changes how urgently the picture is wanted, for the stage under way and those to come. Any thread.
    public func setPriority(_ priority: LoadPriority) {
        state.withLock { $0.priority = priority }
        // Again when another thread has changed it meanwhile: the last one told must be the last one set.
        var told: LoadPriority?
        while let (task, wanted) = state.withLock({ $0.priority == told ? nil : ($0.task, $0.priority) }) {
            (task as? any ImageLoadTask)?.setPriority(wanted)
            told = wanted
        }
    }

    /// Whether a picture from memory is all that it does, here and now.
    var endsAtOnceFromMemory: Bool {
        callbackQueue.isCurrent && !plan.refreshes && !plan.wantsDataFromDisk
            && plan.options.isDisjoint(with: [.retryFailed, .continueInBackground])
    }

    /// What the load tells, for any number of listeners; leaving does not end the load.
    public var events: LoadEvents { LoadEvents(operation: self, ownership: nil) }

    func send(_ event: LoadStateMachine.Event) {
        trace?.note(event)
        let actions = state.withLock { $0.machine.handle(event) }
        for action in actions {
            trace?.note(action)
            perform(action)
        }
    }
}

// MARK: - Doing

extension LoadOperation {
    private func perform(_ action: LoadStateMachine.Action) {
        switch action {
        case .intercept:
            if let takeover { run { _ in takeover(self) } }
        case .queryDisk(let file):
            queryDisk(file)
        case .readFile(let file):
            run { stages.readFile(file, priority: $0) { self.send(.diskAnswered($0)) } }
        case .askToLoad:
            send(.permitted(stages.refusal()))
        case .load(let cached):
            load(cached)
        case .decode(let encoded):
            run { stages.decode(encoded, priority: $0) { self.send(.decoded($0)) } }
        case .transform(let decoded, let encoded):
            run { stages.transform(decoded, encoded, priority: $0) { self.send(.transformed($0)) } }
        case .removeFromDisk(let file):
            stages.removeFromDisk(file)
        case .freshen(let entry, let response):
            stages.freshen(entry, response)
        case .store(let finished, let encoded):
            stages.store(finished, encoded) { self.send(.stored(finished.image)) }
        case .deliver:
            deliver()
        case .stop:
            wasCancelled.cancel()
            stopTask()
            deliver()
        }
    }

    private func queryDisk(_ file: LoadStateMachine.DiskFile) {
        if file == .original {
            if let original = stages.originalFromMemory() { return send(.originalFound(original)) }
            guard plan.originalQueryTiers.contains(.disk) else { return send(.diskAnswered(nil)) }
        }
        run { stages.queryDisk(file, priority: $0) { self.send(.diskAnswered($0)) } }
    }

    private func load(_ cached: CachedPicture?) {
        run { priority in
            stages.load(
                cached, priority: priority, progress: { self.report($0) },
                partial: { self.send(.updated(.partial($0))) }, completion: { self.send(.loaded($0)) })
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
        let current: LoadPriority? = state.withLock { state in
            guard state.stage == stage, state.machine.isRunning else { return nil }
            state.task = task
            return state.priority
        }
        guard let current else { return task.cancel() }
        // Somebody may have changed it before there was a task to tell.
        if current != priority { (task as? any ImageLoadTask)?.setPriority(current) }
    }

    private func stopTask() {
        let task = state.withLock { $0.task.take() }
        task?.cancel()
    }

    /// Asks for time in the background, for as long as the load runs.
    func continueInBackground(by provider: any BackgroundTaskProvider) {
        let background = provider.beginTask { [weak self] in self?.cancel() }
        let isRunning = state.withLock { state in
            guard state.machine.isRunning else { return false }
            state.background = background
            return true
        }
        if !isRunning { background.cancel() }
    }
}
