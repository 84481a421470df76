import Dispatch
import Synchronization
import WebImageCore

// Delivers the events of a load, in order and by one thread at a time.
extension LoadOperation {
    /// Adds a listener, which gets the current state and all that follows.
    func add(_ listener: LoadEventMailbox) {
        state.withLock { state in
            if !state.machine.isEnded { state.listeners.append(listener) }
            // The new mailbox has no waiting reader yet, and the current state must come before later events.
            listener.post(state.told)
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
            for listener in rest.listeners { listener.post(update) }
        case .ending(let ending):
            rest.background?.cancel()
            // The end may be that of a source before it was taken back, which another one has followed.
            rest.source?.leave()
            trace?.finish(ending.outcome)
            shared.running.remove(self)
            rest.callbacks.completed?(ending.outcome)
            for listener in rest.listeners { listener.post(ending) }
        }
    }

    /// The data that one delivery needs. At the end it is released outside the lock: the caller's closures may retain
    /// an object that cancels the load in its deinitializer.
    fileprivate struct Rest {
        let callbacks: LoadCallbacks
        let listeners: [LoadEventMailbox]
        var source: LoadSource?
        var background: (any CancellableTask)?
    }
}

extension LoadOperation.State {
    fileprivate mutating func next() -> (DeliveryStateMachine.Delivery, LoadOperation.Rest)? {
        // The end waits for progress that is being delivered by another thread, or further up on this stack.
        let mustWait = isReporting && machine.isEnding
        if mustWait { endingWaits = true }
        guard !mustWait, let delivery = machine.takeDelivery() else {
            isTelling = false
            return nil
        }
        var rest = LoadOperation.Rest(callbacks: callbacks, listeners: listeners)
        guard case .ending(let ending) = delivery else {
            if case .update(let update) = delivery { told.add(update) }
            return (delivery, rest)
        }
        told.end(ending)
        rest.source = source.take()
        rest.background = background.take()
        callbacks = LoadCallbacks()
        listeners = []
        return (delivery, rest)
    }
}

// MARK: - Progress

// Also delivered by one thread at a time, and not while the end is delivered.
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
        if state.withLock({ $0.takeEndingWaits() }) { deliver() }
    }

    // MARK: Progress before the load joined

    /// Calls no closure, so that the lock of the joined load may be held; ``tell(_:)`` follows.
    ///
    /// - Returns: The events to deliver.
    func note(_ stage: LoadTrace.Stage?, _ latest: LatestEvents) -> LateNews {
        if let stage { trace?.add(beginningOf: stage) }
        guard !latest.isEmpty else { return [] }
        return state.withLock { state in
            var news: LateNews = []
            for event in latest.events {
                if case .progress(let progress) = event {
                    if state.note(progress) { news.insert(.progress) }
                } else if case .deliver = state.machine.handle(.updated(event)) {
                    news.insert(.part)
                }
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
    /// Whether the caller of this has to deliver it; otherwise another thread does, or the load has no receiver for it.
    fileprivate mutating func note(_ progress: LoadProgress) -> Bool {
        guard machine.isOpen else { return false }
        told.add(.progress(progress))
        guard callbacks.progress != nil || !listeners.isEmpty else { return false }
        untold = progress
        defer { isReporting = true }
        return !isReporting
    }

    fileprivate mutating func nextProgress() -> (LoadProgress, LoadCallbacks.Progress?, [LoadEventMailbox])? {
        guard machine.isOpen, let progress = untold.take() else {
            untold = nil
            isReporting = false
            return nil
        }
        return (progress, callbacks.progress, listeners)
    }

    fileprivate mutating func takeEndingWaits() -> Bool {
        defer { endingWaits = false }
        return endingWaits
    }
}
