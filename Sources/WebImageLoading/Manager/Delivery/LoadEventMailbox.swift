import Synchronization
import WebImageCore

/// The undelivered events of one listener. A listener that is slower than its load misses progress reports and partial
/// pictures that newer ones have replaced, the preview of a picture that is there, and nothing else.
final class LoadEventMailbox: Sendable {
    typealias Message = Result<LoadEvent, WebImageError>

    private struct State {
        var cached: LoadResult?
        var preview: LoadResult?
        var progress: LoadProgress?
        var partial: Image?
        var ending: Message?
        /// The end was delivered, or the listener has left.
        var isOver = false
        var listener: CheckedContinuation<Message?, Never>?

        mutating func next() -> Message? {
            if let cached = cached.take() { return .success(.cached(cached)) }
            if let preview = preview.take() { return .success(.preview(preview)) }
            if let progress = progress.take() { return .success(.progress(progress)) }
            if let partial = partial.take() { return .success(.partial(partial)) }
            guard let ending = ending.take() else { return nil }
            isOver = true
            return ending
        }
    }

    private let state = Mutex(State())

    func post(_ event: LoadEvent) {
        deliver { state in
            switch event {
            case .cached(let result): state.cached = result
            case .preview(let result): state.preview = result
            case .progress(let progress): state.progress = progress
            case .partial(let image): state.partial = image
            case .finished(let result): state.ending = .success(.finished(result))
            }
        }
    }

    func post(_ outcome: Result<LoadResult, WebImageError>) {
        deliver { state in
            state.partial = nil
            if case .success = outcome { state.preview = nil }
            state.ending = outcome.map(LoadEvent.finished)
        }
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

    private func deliver(_ change: (inout State) -> Void) {
        let (listener, message): (CheckedContinuation<Message?, Never>?, Message?) = state.withLock { state in
            guard !state.isOver, state.ending == nil else { return (nil, nil) }
            change(&state)
            guard let listener = state.listener.take() else { return (nil, nil) }
            return (listener, state.next())
        }
        listener?.resume(returning: message)
    }
}
