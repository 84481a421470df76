import Dispatch
import FoundationEssentials
import Synchronization

/// One load under way: what a caller holds to cancel it, to change its priority or to listen to it.
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
        var callbacks: LoadCallbacks
        /// One thread tells at a time, so that everything is told in order.
        var isTelling = false
        var background: (any CancellableTask)?
        var news = LoadNews()
    }

    /// Takes the load over, in place of the stages.
    typealias Takeover = @Sendable (LoadOperation) -> InterceptedLoad

    let trace: LoadTrace?
    private let stages: LoadStages
    private let takeover: Takeover?
    private let callbackQueue: CallbackQueue
    private let state: Mutex<State>
    private let wasCancelled = CancellationFlag()

    init(stages: LoadStages, trace: LoadTrace?, callbacks: LoadCallbacks, takeover: Takeover? = nil) {
        let plan = stages.plan
        url = plan.requestedURL
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
        let task = state.withLock { state in
            state.priority = priority
            return state.task
        }
        (task as? any ImageLoadTask)?.setPriority(priority)
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
            stages.store(finished, encoded) { self.send(.stored) }
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

// MARK: - Telling

extension LoadOperation {
    func report(_ progress: LoadProgress) {
        trace?.note(progress)
        let (handler, listeners) = state.withLock { state in
            guard state.machine.isRunning else { return (nil, []) as (LoadCallbacks.Progress?, [LoadEventMailbox]) }
            state.news.progress = progress
            return (state.callbacks.progress, state.news.listeners)
        }
        handler?(progress)
        for listener in listeners { listener.post(.progress(progress)) }
    }

    /// Lets a listener hear how far things are, and all that follows.
    func add(_ listener: LoadEventMailbox) {
        state.withLock { state in
            if !state.machine.isEnded { state.news.listeners.append(listener) }
            // Nobody waits at a new mailbox, and what comes next must not be there before what was.
            state.news.tellSoFar(listener)
        }
    }

    private func deliver() {
        trace?.begin(.deliver)
        guard !callbackQueue.isCurrent else { return tell() }
        callbackQueue.run {
            self.tell()
        } dropped: {
            self.tellOnMainQueue()
        }
    }

    private func tellOnMainQueue() {
        stages.shared.warnings.warnOnce(
            about: "callback queue", "a callback queue is gone; its callbacks run on the main queue")
        DispatchQueue.main.async { self.tell() }
    }

    private func tell() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let (delivery, rest) = next() { tell(delivery, rest) }
    }

    private func tell(_ delivery: LoadStateMachine.Delivery, _ rest: Rest) {
        switch delivery {
        case .update(let update):
            trace?.end(.deliver, .done(byteCount: nil))
            rest.callbacks.received?(update)
            for listener in rest.listeners { listener.post(LoadEvent(update)) }
        case .ending(let ending):
            rest.background?.cancel()
            trace?.finish(ending.outcome)
            // A load that was refused at the door never ran, and one that was taken over did not run by itself.
            if stages.shared.running.remove(self), takeover == nil { stages.note(ending.outcome) }
            rest.callbacks.completed?(ending.outcome)
            for listener in rest.listeners { listener.post(ending.outcome) }
        }
    }

    /// What goes with something that is told. With the ending it is let go outside the lock: the caller's closures may
    /// hold something that cancels the load when it goes.
    private struct Rest {
        let callbacks: LoadCallbacks
        let listeners: [LoadEventMailbox]
        var task: (any CancellableTask)?
        var background: (any CancellableTask)?
    }

    private func next() -> (LoadStateMachine.Delivery, Rest)? {
        state.withLock { state in
            guard let delivery = state.machine.takeDelivery() else {
                state.isTelling = false
                return nil
            }
            state.news.note(delivery)
            var rest = Rest(callbacks: state.callbacks, listeners: state.news.listeners)
            guard case .ending = delivery else { return (delivery, rest) }
            rest.task = state.task.take()
            rest.background = state.background.take()
            state.callbacks = LoadCallbacks()
            state.news.listeners = []
            return (delivery, rest)
        }
    }
}
