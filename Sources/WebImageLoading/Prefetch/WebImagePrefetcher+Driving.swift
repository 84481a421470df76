import Synchronization
import WebImageCore
import WebImageHTTP

// Performs the actions of the state machine. Foreign code, from loaders to handlers, is called outside of the lock.

extension WebImagePrefetcher {
    struct State {
        var machine = PrefetchStateMachine(limit: 3, priority: .low)
        var tokens: [PrefetchStateMachine.Batch: PrefetchToken] = [:]
        var lastBatch: PrefetchStateMachine.Batch = 0
        /// The loads that run or are about to start.
        var loads: [PrefetchStateMachine.Job: PrefetchLoad] = [:]
        /// The loads that are about to start, in their order.
        var starts: [PrefetchLoad] = []
        var isStarting = false
        var destination = PrefetchDestination.memory
        var callbackQueue = CallbackQueue.main
        /// Shared by all calls without a queue of their own, so that the delegate is called in order.
        var callbacks = OrderedCallbacks(.main)
        weak var delegate: (any WebImagePrefetcherDelegate)?
    }

    /// An effect of the rules, performed outside of the lock.
    enum Effect {
        case stop(PrefetchLoad)
        case applyPriority(PrefetchLoad)
        case announce(PrefetchToken)
    }

    /// Adds a call: the token is registered and the rules know it atomically.
    func add(
        _ makeToken: (PrefetchStateMachine.Batch, OrderedCallbacks) -> PrefetchToken
    ) -> PrefetchToken {
        let (token, effects) = state.withLock { state in
            state.lastBatch += 1
            let token = makeToken(state.lastBatch, state.callbacks)
            state.tokens[token.batch] = token
            let added = PrefetchStateMachine.Event.added(
                token.batch, count: token.requests.count, urgent: token.urgentIndices)
            return (token, state.handle(added, for: self))
        }
        perform(effects)
        return token
    }

    func send(_ event: PrefetchStateMachine.Event) {
        perform(state.withLock { $0.handle(event, for: self) })
    }

    private func perform(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .stop(let load): load.cancel()
            case .applyPriority(let load): load.applyPriority()
            case .announce(let token): token.announce()
            }
        }
        startNext()
    }

    /// Starts the loads whose turn has come, on one thread at a time and never recursively: a picture in memory ends
    /// before its start returns, and a thousand of them must not overflow the stack.
    private func startNext() {
        while let load = state.withLock({ $0.nextStart() }) {
            load.start { begin($0, load) }
            state.withLock { $0.isStarting = false }
        }
    }

    private func begin(_ request: ImageRequest, _ load: PrefetchLoad) -> any CancellableTask {
        let goesToDisk = load.destination == .disk
        // Without an address there is no plan; the load then reports the error.
        if goesToDisk, manager.plan(of: request)?.keepsFileOnDisk == false {
            end(load, isSkipped: false)
            return EndedLoadTask()
        }
        let completed: LoadCallbacks.Completion = { result in
            if case .success = result { self.end(load, isSkipped: false) } else { self.end(load, isSkipped: true) }
        }
        return manager.start(request, LoadCallbacks(queue: .current, completed: completed, goesToDisk: goesToDisk))
    }

    private func end(_ load: PrefetchLoad, isSkipped: Bool) {
        let isRunning = state.withLock { $0.loads.removeValue(forKey: load.job) } != nil
        if isRunning { send(.ended(load.job, isSkipped: isSkipped)) }
    }

    /// On the token's callback queue.
    fileprivate func tell(_ token: PrefetchToken, _ news: PrefetchStateMachine.News) {
        let delegate = delegate
        if let index = news.index {
            delegate?.imagePrefetcher(
                self, didPrefetch: token.requests[index].url, finishedCount: news.totals.finishedCount,
                totalCount: news.totals.totalCount)
            token.tell(news.progress)
        }
        guard news.progress.isFinished else { return }
        if news.isLast {
            delegate?.imagePrefetcher(
                self, didFinishWithTotalCount: news.totals.totalCount, skippedCount: news.totals.skippedCount)
        }
        token.complete(news.progress)
    }
}

extension WebImagePrefetcher.State {
    fileprivate mutating func handle(
        _ event: PrefetchStateMachine.Event, for prefetcher: WebImagePrefetcher
    ) -> [WebImagePrefetcher.Effect] {
        machine.handle(event).compactMap { prepare($0, for: prefetcher) }
    }

    private mutating func prepare(
        _ action: PrefetchStateMachine.Action, for prefetcher: WebImagePrefetcher
    ) -> WebImagePrefetcher.Effect? {
        switch action {
        case .start(let job, let priority):
            guard let request = tokens[job.batch]?.requests[job.index] else { return nil }
            let load = PrefetchLoad(job, request: request, priority: priority, destination: destination)
            loads[job] = load
            starts.append(load)
            return nil
        case .stop(let job):
            return loads.removeValue(forKey: job).map { .stop($0) }
        case .setPriority(let job, let priority):
            loads[job]?.priority = priority
            return loads[job].map { .applyPriority($0) }
        case .tell(let news):
            guard let token = tokens[news.batch] else { return nil }
            if news.progress.isFinished { tokens[news.batch] = nil }
            token.record(news.progress) { prefetcher.tell(token, news) }
            return .announce(token)
        }
    }

    fileprivate mutating func nextStart() -> PrefetchLoad? {
        guard !isStarting, !starts.isEmpty else { return nil }
        isStarting = true
        return starts.removeFirst()
    }
}

extension PrefetchToken {
    fileprivate var urgentIndices: Set<Int> {
        Set(requests.indices.filter { requests[$0].options.contains(.highPriority) })
    }
}
