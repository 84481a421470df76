import FoundationEssentials

/// The rules of what one caller is told of a load, without the telling.
///
/// A load ends exactly once because only this value decides that it ends, and nothing leads out of ``State/ended``.
struct DeliveryStateMachine {
    /// What happened.
    enum Event {
        case updated(LoadUpdate)
        /// The load has come to its end.
        case ended(LoadEnding)
        /// The caller wants nothing more of what is at the address.
        case cancelled(URL?)
    }

    /// What to do.
    enum Action {
        case nothing
        /// Tell the caller; ``takeDelivery()`` says what.
        case deliver
        /// Leave whatever is under way, and tell the caller.
        case stop
    }

    /// What is told to the caller.
    enum Delivery {
        case update(LoadUpdate)
        case ending(LoadEnding)
    }

    enum State {
        case open
        /// Decided, but not yet told: a cancellation may still overtake a picture that waits for its queue.
        case delivering(LoadEnding)
        case ended
    }

    private(set) var state = State.open
    /// Pictures that are to be delivered before the ending.
    private var updates: [LoadUpdate] = []

    /// Of a load whose end was told.
    static let ended: DeliveryStateMachine = {
        var machine = DeliveryStateMachine()
        machine.state = .ended
        return machine
    }()

    /// Whether the outcome is still open.
    var isOpen: Bool {
        if case .open = state { return true }
        return false
    }

    var isEnded: Bool {
        if case .ended = state { return true }
        return false
    }

    /// Whether the ending is what comes next.
    var isEnding: Bool {
        guard case .delivering = state else { return false }
        return updates.isEmpty
    }

    /// What to do now. An event that comes too late, after a cancellation, leads to nothing.
    mutating func handle(_ event: Event) -> Action {
        switch (state, event) {
        case (.open, .updated(let update)): add(update)
        case (.open, .ended(let ending)): end(ending)
        case (_, .cancelled(let url)): cancel(url)
        default: .nothing
        }
    }

    /// What to tell next, each once; nil when everything was told or overtaken.
    mutating func takeDelivery() -> Delivery? {
        if !updates.isEmpty { return .update(updates.removeFirst()) }
        guard case .delivering(let ending) = state else { return nil }
        state = .ended
        return .ending(ending)
    }

    private mutating func add(_ update: LoadUpdate) -> Action {
        // One that nobody has taken yet is overtaken: whole bitmaps must not pile up before a busy queue.
        if case .partial = update, case .partial = updates.last {
            updates[updates.count - 1] = update
            return .nothing
        }
        updates.append(update)
        return .deliver
    }

    private mutating func end(_ ending: LoadEnding) -> Action {
        // A part of a picture is of no use beside the whole.
        updates.removeAll { if case .partial = $0 { true } else { false } }
        state = .delivering(ending)
        return .deliver
    }

    private mutating func cancel(_ url: URL?) -> Action {
        updates.removeAll()
        switch state {
        case .ended: return .nothing
        case .delivering(let ending) where ending.isFailure: return .nothing
        default:
            state = .delivering(LoadEnding(.failure(.cancelled(url: url))))
            return .stop
        }
    }
}
