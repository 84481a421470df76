import Dispatch
import Synchronization

// What a load tells, in order and by one thread at a time.
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
