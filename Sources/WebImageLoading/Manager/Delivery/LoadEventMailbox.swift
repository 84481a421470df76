import Synchronization
import WebImageCore

/// The undelivered events of one listener. A listener that is slower than its load misses progress reports and partial
/// pictures that newer ones have replaced, the preview of a picture that is there, and nothing else.
final class LoadEventMailbox: Sendable {
    typealias Message = Result<LoadEvent, WebImageError>

    private struct State {
        var events = LatestEvents()
        /// The end was delivered, or the listener has left.
        var isOver = false
        var listener: CheckedContinuation<Message?, Never>?

        mutating func next() -> Message? {
            if let event = events.takeFirst() { return .success(event) }
            guard let ending = events.ending else { return nil }
            isOver = true
            return ending.outcome.map(LoadEvent.finished)
        }
    }

    private let state = Mutex(State())

    func post(_ event: LoadEvent) { deliver { $0.add(event) } }

    func post(_ ending: LoadEnding) { deliver { $0.end(ending) } }

    /// Adds what was told before the listener came, as far as it still matters.
    func post(_ told: LatestEvents) {
        for event in told.events { post(event) }
        if let ending = told.ending { post(ending) }
    }

    /// The next message; nil after the ending, and for a listener that has left. For one listener at a time.
    func next() async -> Message? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let message: Message?? = state.withLock { state in
                    if state.isOver { return .some(nil) }
                    if let message = state.next() { return message }
                    state.listener = continuation
                    return nil
                }
                if let message { continuation.resume(returning: message) }
            }
        } onCancel: {
            close()
        }
    }

    /// The listener has left.
    func close() {
        let listener = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.listener
        }
        listener?.resume(returning: nil)
    }

    private func deliver(_ change: (inout LatestEvents) -> Void) {
        let (listener, message): (CheckedContinuation<Message?, Never>?, Message?) = state.withLock { state in
            guard !state.isOver, state.events.ending == nil else { return (nil, nil) }
            change(&state.events)
            guard let listener = state.listener.take() else { return (nil, nil) }
            return (listener, state.next())
        }
        listener?.resume(returning: message)
    }
}
