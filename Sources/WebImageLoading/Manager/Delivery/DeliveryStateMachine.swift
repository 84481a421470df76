import FoundationEssentials
import WebImageCore

/// The rules for delivering one load's events to its caller, without the delivery itself.
///
/// A load ends exactly once because only this value decides that it ends, and ``State/ended`` is final.
struct DeliveryStateMachine {
    /// An event of the delivery.
    enum Event {
        case updated(LoadEvent)
        /// The load has come to its end.
        case ended(LoadEnding)
        /// The caller has cancelled the load of that address.
        case cancelled(URL?)
    }

    /// The action that follows an event.
    enum Action {
        case nothing
        /// Deliver to the caller what ``takeDelivery()`` returns.
        case deliver
        /// Stop the work, and deliver the cancellation.
        case stop
    }

    /// An event for the caller.
    enum Delivery {
        case update(LoadEvent)
        case ending(LoadEnding)
    }

    enum State {
        case open
        /// Decided, but not delivered yet: a cancellation may still replace a picture that waits for its queue.
        case delivering(LoadEnding)
        case ended
    }

    private(set) var state = State.open
    /// Pictures to be delivered before the end.
    private var updates = LatestEvents()
    /// Whether there was any: a load that begins again, as by a retry, must not bring its preview after that.
    private var hasUpdated = false

    /// Of a load whose end was delivered.
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

    /// Whether the end is delivered next.
    var isEnding: Bool {
        guard case .delivering = state else { return false }
        return updates.isEmpty
    }

    /// The action for an event. An event after a cancellation has no effect.
    mutating func handle(_ event: Event) -> Action {
        switch (state, event) {
        case (.open, .updated(let update)): add(update)
        case (.open, .ended(let ending)): end(ending)
        case (_, .cancelled(let url)): cancel(url)
        default: .nothing
        }
    }

    /// The next event to deliver, each once; nil when there is none left.
    mutating func takeDelivery() -> Delivery? {
        if let update = updates.takeFirst() { return .update(update) }
        guard case .delivering(let ending) = state else { return nil }
        state = .ended
        return .ending(ending)
    }

    private mutating func add(_ update: LoadEvent) -> Action {
        if case .preview = update, hasUpdated { return .nothing }
        hasUpdated = true
        // A newer picture replaces an undelivered one: whole bitmaps must not pile up before a busy queue.
        return updates.add(update) ? .nothing : .deliver
    }

    private mutating func end(_ ending: LoadEnding) -> Action {
        updates.end(ending)
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
