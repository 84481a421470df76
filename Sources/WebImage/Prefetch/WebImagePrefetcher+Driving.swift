import Synchronization

// Carries out what the rules say. Everything foreign, from loaders to handlers, is called outside the lock.

extension WebImagePrefetcher {
    struct State {
        var machine = PrefetchStateMachine(limit: 3, priority: .low)
        var tokens: [PrefetchStateMachine.Batch: PrefetchToken] = [:]
        var lastBatch: PrefetchStateMachine.Batch = 0
        /// What is loading or about to.
        var loads: [PrefetchStateMachine.Job: PrefetchLoad] = [:]
        /// What is about to, in the order of the turns.
        var starts: [PrefetchLoad] = []
        var isStarting = false
        var destination = PrefetchDestination.memory
        var callbackQueue = CallbackQueue.main
        /// One for all calls without a queue of their own, so that the delegate hears of them in order.
        var callbacks = OrderedCallbacks(.main)
        weak var delegate: (any WebImagePrefetcherDelegate)?
    }

    /// What the rules lead to, outside the lock.
    enum Effect {
        case stop(PrefetchLoad)
        case applyPriority(PrefetchLoad)
        case announce(PrefetchToken)
    }

    /// Begins a call: its token is known to others and to the rules at the same moment.
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

    /// Begins what has its turn, by one thread at a time and never from within another beginning: a picture that is in
    /// memory ends before it has begun, and a thousand of them in a row must not pile up on the stack.
    private func startNext() {
        while let load = state.withLock({ $0.nextStart() }) {
            load.start { begin($0, load) }
            state.withLock { $0.isStarting = false }
        }
    }

    private func begin(_ request: ImageRequest, _ load: PrefetchLoad) -> any PrefetchTask {
        let goesToDisk = load.destination == .disk
        // Without an address there is no plan, and the load says so.
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
