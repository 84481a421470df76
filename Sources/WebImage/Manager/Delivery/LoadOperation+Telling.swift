import Dispatch
import Synchronization

// What a load tells, in order and by one thread at a time.
extension LoadOperation {
    /// Lets a listener hear how far things are, and all that follows.
    func add(_ listener: LoadEventMailbox) {
        state.withLock { state in
            if !state.machine.isEnded { state.news.listeners.append(listener) }
            // Nobody waits at a new mailbox, and what comes next must not be there before what was.
            state.news.tellSoFar(listener)
        }
    }

    func deliver() {
        trace?.begin(.deliver)
        guard !callbackQueue.isCurrent else { return tell() }
        callbackQueue.run {
            self.tell()
        } dropped: {
            self.tellOnMainQueue()
        }
    }

    private func tellOnMainQueue() {
        shared.warnings.warnOnce(
            about: "callback queue", "a callback queue is gone; its callbacks run on the main queue")
        DispatchQueue.main.async { self.tell() }
    }

    private func tell() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let (delivery, rest) = state.withLock({ $0.next() }) { tell(delivery, rest) }
    }

    private func tell(_ delivery: DeliveryStateMachine.Delivery, _ rest: Rest) {
        switch delivery {
        case .update(let update):
            trace?.end(.deliver, .done(byteCount: nil))
            rest.callbacks.received?(update)
            for listener in rest.listeners { listener.post(LoadEvent(update)) }
        case .ending(let ending):
            rest.background?.cancel()
            trace?.finish(ending.outcome)
            shared.running.remove(self)
            rest.callbacks.completed?(ending.outcome)
            for listener in rest.listeners { listener.post(ending.outcome) }
        }
    }

    /// What goes with something that is told. With the ending it is let go outside the lock: the caller's closures may
    /// hold something that cancels the load when it goes.
    fileprivate struct Rest {
        let callbacks: LoadCallbacks
        let listeners: [LoadEventMailbox]
        var source: LoadSource?
        var background: (any CancellableTask)?
    }
}

extension LoadOperation.State {
    fileprivate mutating func next() -> (DeliveryStateMachine.Delivery, LoadOperation.Rest)? {
        // The ending waits for progress that another thread is telling just now, or one further up on this very stack.
        let mustWait = news.isReporting && machine.isEnding
        if mustWait { news.endingWaits = true }
        guard !mustWait, let delivery = machine.takeDelivery() else {
            isTelling = false
            return nil
        }
        news.note(delivery)
        var rest = LoadOperation.Rest(callbacks: callbacks, listeners: news.listeners)
        guard case .ending = delivery else { return (delivery, rest) }
        rest.source = source.take()
        rest.background = background.take()
        callbacks = LoadCallbacks()
        news.listeners = []
        return (delivery, rest)
    }
}

// MARK: - Progress

// Told by one thread at a time, too, and while nobody tells the ending.
extension LoadOperation {
    func report(_ progress: LoadProgress) {
        trace?.note(progress)
        if state.withLock({ $0.note(progress) }) { tellProgress() }
    }

    private func tellProgress() {
        while let (progress, handler, listeners) = state.withLock({ $0.nextProgress() }) {
            handler?(progress)
            for listener in listeners { listener.post(.progress(progress)) }
        }
        if state.withLock({ $0.news.takeEndingWaits() }) { deliver() }
    }

    // MARK: What came before it joined

    /// Calls nobody, so that the lock of what is joined may be held; ``tell(_:)`` follows.
    ///
    /// - Returns: What is to be told.
    func note(_ soFar: LoadSoFar) -> LateNews {
        if let stage = soFar.stage { trace?.add(beginningOf: stage) }
        guard soFar.progress != nil || soFar.part != nil else { return [] }
        return state.withLock { state in
            var news: LateNews = []
            if let progress = soFar.progress, state.note(progress) { news.insert(.progress) }
            if let part = soFar.part, case .deliver = state.machine.handle(.updated(.partial(part))) {
                news.insert(.part)
            }
            return news
        }
    }

    func tell(_ news: LateNews) {
        trace?.flush()
        if news.contains(.progress) { tellProgress() }
        if news.contains(.part) { deliver() }
    }

    struct LateNews: OptionSet {
        let rawValue: UInt8
        static let progress = LateNews(rawValue: 1)
        static let part = LateNews(rawValue: 2)
    }
}

extension LoadOperation.State {
    /// Whether the caller is to tell it; otherwise another thread does, or nobody wants to know.
    fileprivate mutating func note(_ progress: LoadProgress) -> Bool {
        guard machine.isOpen else { return false }
        news.progress = progress
        guard callbacks.progress != nil || !news.listeners.isEmpty else { return false }
        news.untold = progress
        defer { news.isReporting = true }
        return !news.isReporting
    }

    fileprivate mutating func nextProgress() -> (LoadProgress, LoadCallbacks.Progress?, [LoadEventMailbox])? {
        guard machine.isOpen, let progress = news.untold.take() else {
            news.untold = nil
            news.isReporting = false
            return nil
        }
        return (progress, callbacks.progress, news.listeners)
    }
}
